import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { PRICED_PLANS } from '#app/features/public/evidence/claims.ts';
import { usePlanLimits } from '#app/features/public/landing/use-plan-limits.ts';
import Check from '~icons/check';

/** The three plans as cards. Enterprise is agreed with us, at `contact`; the others begin with an account. */
export function PlanCards({ contact, headingLevel }: { contact: string; headingLevel: 2 | 3 }) {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const limitsOf = usePlanLimits();
  const Heading = `h${headingLevel}` as const;
  const dollars = (amount: number) =>
    formats.number(amount, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 });
  return (
    <ul className="grid items-stretch gap-4 lg:gap-5 lg:grid-cols-3">
      {PRICED_PLANS.map(({ plan, price, popular }) => (
        <li
          key={plan}
          data-reveal-item=""
          className={`flex flex-col rounded-lg border bg-surface p-5 sm:p-6 ${popular ? 'border-accent ring-1 ring-accent ring-inset' : 'border-line'}`}
        >
          <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
            <Heading className="text-xl font-semibold">{t(`pricing.${plan}.name`)}</Heading>
            {popular ? <Badge tone="accent">{t('pricing.popular')}</Badge> : null}
          </div>
          <p className="mt-1 text-sm lg:min-h-10.5 text-muted">{t(`pricing.${plan}.text`)}</p>
          <p className="mt-4 flex flex-wrap items-baseline gap-x-2">
            <span className="text-3xl font-semibold tabular-nums">{price === null ? t('pricing.custom') : dollars(price)}</span>
            {price === null ? null : <span className="text-muted">{t('pricing.perMonth')}</span>}
          </p>
          <div className="mt-4 mb-5 grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] gap-x-3 gap-y-4 border-t border-line pt-4 text-sm lg:grid-cols-1">
            <ul className="grid content-start gap-2 font-semibold">
              {limitsOf(plan).map((limit) => (
                <li key={limit}>{limit}</li>
              ))}
            </ul>
            <ul className="grid content-start gap-2 border-line lg:border-t lg:pt-4">
              {(['first', 'second', 'third'] as const).map((feature) => (
                <li key={feature} className="flex gap-2.5">
                  <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={2.5} />
                  {t(`pricing.${plan}.${feature}`)}
                </li>
              ))}
            </ul>
          </div>
          <ButtonLink
            to={plan === 'enterprise' ? contact : `${href('/auth')}?mode=sign-up`}
            variant={popular ? 'primary' : 'secondary'}
            className="mt-auto justify-self-stretch"
          >
            {t(`pricing.${plan}.button`)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
