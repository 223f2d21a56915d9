import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';
import { HOUR_MS, PAYMENT } from '#app/features/public/example/example-payment.ts';

/** An approval as its approver meets it: what is asked, why it stopped, how it went before, and the two answers. */
export function ExampleApproval() {
  const { t } = useTranslation(['product', 'approvals']);
  const formats = useFormats();
  const { now } = useLocale();
  const money = (amount: number) => formats.number(amount, { style: 'currency', currency: PAYMENT.currency, maximumFractionDigits: 0 });
  const amount = money(PAYMENT.amount);
  return (
    <ExampleFrame caption={t('example.approval.caption')}>
      <div className="overflow-hidden rounded-lg border border-line border-s-4 border-s-attention-ink bg-surface shadow-float">
        <div className="p-5 sm:p-6">
          <p className="text-sm text-muted">
            <bdi>{`${PAYMENT.payee} · ${amount} · #${PAYMENT.run}`}</bdi>
          </p>
          <h2 className="mt-1 text-xl font-semibold">{t('example.approval.title', { amount, payee: PAYMENT.payee })}</h2>
          <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <StatusWord status="pending" />
            <span className="inline-flex items-center gap-1.5">
              {t('approvals:page.risk')} <StatusWord status="high" />
            </span>
            <span className="text-muted">
              {t('approvals:page.due')} {formats.relativeTime(new Date(Date.parse(now) + 3 * HOUR_MS).toISOString())}
            </span>
          </p>
          <div className="mt-4">
            <DescriptionList
              narrow
              items={[
                { term: t('example.facts.payee'), description: <bdi>{PAYMENT.payee}</bdi> },
                { term: t('example.facts.amount'), description: <span className="tabular-nums">{amount}</span> },
                { term: t('example.facts.invoice'), description: <bdi>{PAYMENT.invoice}</bdi> },
                { term: t('example.facts.account'), description: <bdi className="tabular-nums">{PAYMENT.account}</bdi> },
                {
                  term: t('approvals:page.why'),
                  description: (
                    <>
                      {t('example.approval.why', { limit: money(PAYMENT.limit) })}
                      <span className="block text-muted">
                        {t('approvals:page.runName', { name: t('example.cost.payments'), version: 4 })}
                      </span>
                    </>
                  ),
                },
                {
                  term: t('approvals:earlier.title'),
                  description: t('approvals:earlier.summary', {
                    count: PAYMENT.earlier.approved + PAYMENT.earlier.rejected,
                    ...PAYMENT.earlier,
                  }),
                },
              ]}
            />
          </div>
        </div>
        {/* Nothing can be decided here: the buttons belong to the picture. */}
        <div aria-hidden="true" className="flex flex-wrap gap-2 border-t border-line bg-raised px-5 py-4 sm:px-6">
          <span className={buttonClass('primary', 'small')}>{t('approvals:decide.approve')}</span>
          <span className={buttonClass('secondary', 'small')}>{t('approvals:decide.reject')}</span>
        </div>
      </div>
    </ExampleFrame>
  );
}
