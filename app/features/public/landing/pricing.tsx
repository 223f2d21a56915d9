import Check from 'lucide-react/icons/check';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/reader.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { PRICED_PLANS, PRICING_PAGE } from '#app/features/public/claims.ts';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';
import { usePlanLimits } from '#app/features/public/landing/use-plan-limits.ts';

/** The three plans, with every figure that the product holds them to. */
export function Pricing() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const limitsOf = usePlanLimits();
  const dollars = (amount: number) =>
    formats.number(amount, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 });
  return (
    <Chapter id="pricing" entry={8} title={t('pricing.title')} lead={t('pricing.lead')}>
      <ul className="grid items-stretch gap-5 lg:grid-cols-3">
        {PRICED_PLANS.map(({ plan, price, popular }) => (
          <li
            key={plan}
            data-reveal-item=""
            className={`flex flex-col rounded-lg border bg-surface p-6 ${popular ? 'border-2 border-accent' : 'border-line'}`}
          >
            <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
              <h3 className="text-xl font-semibold">{t(`pricing.${plan}.name`)}</h3>
              {popular ? <Badge tone="accent">{t('pricing.popular')}</Badge> : null}
            </div>
            <p className="mt-1 min-h-12 text-sm text-muted">{t(`pricing.${plan}.text`)}</p>
            <p className="mt-4 flex flex-wrap items-baseline gap-x-2">
              <span className="text-3xl font-semibold tabular-nums">{price === null ? t('pricing.custom') : dollars(price)}</span>
              {price === null ? null : <span className="text-muted">{t('pricing.perMonth')}</span>}
            </p>
            <ul className="mt-5 grid gap-2 border-t border-line pt-5 text-sm font-semibold">
              {limitsOf(plan).map((limit) => (
                <li key={limit}>{limit}</li>
              ))}
            </ul>
            <ul className="mt-5 mb-8 grid gap-2 border-t border-line pt-5 text-sm">
              {(['first', 'second', 'third'] as const).map((feature) => (
                <li key={feature} className="flex gap-2.5">
                  <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={2.5} />
                  {t(`pricing.${plan}.${feature}`)}
                </li>
              ))}
            </ul>
            <PlanButton plan={plan} popular={popular} />
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 text-sm text-muted">
        <p>
          <Claim claim="freeTrial" />
        </p>
        {PRICING_PAGE === null ? null : <ButtonLink to={PRICING_PAGE}>{t('pricing.scheduleDemo')}</ButtonLink>}
      </div>
    </Chapter>
  );
}

/** Enterprise is agreed with us; the others begin with an account. */
function PlanButton({ plan, popular }: { plan: (typeof PRICED_PLANS)[number]['plan']; popular: boolean }) {
  const { t } = useTranslation('landing');
  const to = plan === 'enterprise' ? PRICING_PAGE : '/auth?mode=sign-up';
  if (to === null) return null;
  return (
    <ButtonLink to={to} variant={popular ? 'primary' : 'secondary'} className="mt-auto justify-self-stretch">
      {t(`pricing.${plan}.button`)}
    </ButtonLink>
  );
}
