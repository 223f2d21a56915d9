import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { Plan } from '#app/contracts/people.ts';
import { MEASURES, PLAN_PRICES, PLANS } from '#app/domain/people/plans.ts';
import type { Billing } from '#app/features/admin/billing/load-billing.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

export const PLAN_WORDS = {
  starter: 'plan.starter',
  professional: 'plan.professional',
  enterprise: 'plan.enterprise',
} as const satisfies Record<Plan, string>;

/** A plan's price in words. */
export function usePrice(): (plan: Plan) => string {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (plan) => {
    const price = PLAN_PRICES[plan];
    return price === null
      ? t('billing.custom')
      : t('billing.perMonth', { price: formats.number(price, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }) });
  };
}

/** The plan, what of it is used, and the way to another one. */
export function BillingPage({ billing }: { billing: Billing }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const price = usePrice();
  const limits = PLANS[billing.plan];
  const limitOf = (limit: number | null) => (limit === null ? t('billing.unlimited') : formats.number(limit));
  return (
    <PageFrame title={t('area.billing')} description={t('areaBody.billing')} breadcrumbs={useAdminCrumbs()}>
      <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-lg font-semibold">{t(PLAN_WORDS[billing.plan])}</span>
        <span className="text-muted">{price(billing.plan)}</span>
        {billing.trial === null ? null : (
          <span className="text-muted">
            {billing.trial.over ? t('billing.trialOver') : t('billing.trialUntil')}{' '}
            <time dateTime={billing.trial.endsAt}>{formats.date(billing.trial.endsAt)}</time>
          </span>
        )}
      </p>
      <FigureList
        label={t('billing.usage')}
        items={MEASURES.map((measure) => ({
          term: t(`measure.${measure}`),
          definition: t(`measureText.${measure}`),
          value:
            limits[measure] === null
              ? formats.number(billing.usage[measure])
              : t('billing.ofLimit', { used: formats.number(billing.usage[measure]), limit: limitOf(limits[measure]) }),
        }))}
      />
      <Section title={t('billing.plans')} description={t('billing.plansText')}>
        <div className="mb-4">
          <Notice kind="info" title={t('billing.testProvider')}>
            {t('billing.testProviderText')}
          </Notice>
        </div>
        <DataTable
          caption={t('billing.plans')}
          rows={billing.plans}
          rowKey={(row) => row.name}
          empty={null}
          columns={[
            {
              key: 'plan',
              header: t('billing.planColumn'),
              cell: (row) => (
                <span className="flex flex-wrap items-center gap-2">
                  {t(PLAN_WORDS[row.name])}
                  {row.name === billing.plan ? <Badge tone="accent">{t('billing.current')}</Badge> : null}
                </span>
              ),
            },
            { key: 'price', header: t('billing.price'), cell: (row) => <span className="whitespace-nowrap">{price(row.name)}</span> },
            ...MEASURES.map((measure) => ({
              key: measure,
              header: t(`measure.${measure}`),
              align: 'end' as const,
              cell: (row: Billing['plans'][number]) => limitOf(PLANS[row.name][measure]),
            })),
            {
              key: 'change',
              header: t('billing.change'),
              align: 'end',
              cell: (row) =>
                row.name === billing.plan && billing.trial === null ? (
                  <span className="text-muted">{t('billing.inForce')}</span>
                ) : (
                  <Link
                    to={href('/dashboard/admin/billing/:plan', { plan: row.name })}
                    className="text-link inline-block py-1 whitespace-nowrap"
                  >
                    {t('billing.changeTo', { plan: t(PLAN_WORDS[row.name]) })}
                  </Link>
                ),
            },
          ]}
        />
      </Section>
    </PageFrame>
  );
}
