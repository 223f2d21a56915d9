import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { PRICING_PAGE } from '#app/features/public/evidence/claims.ts';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';
import { PlanCards } from '#app/features/public/landing/plan-cards.tsx';

/** The three plans, with every figure that the product holds them to. */
export function Pricing() {
  const { t } = useTranslation('landing');
  return (
    <Chapter id="pricing" entry={8} title={t('pricing.title')} lead={t('pricing.lead')}>
      <PlanCards contact={PRICING_PAGE} headingLevel={3} />
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 text-sm text-muted">
        <p>
          <Claim claim="freeTrial" />
        </p>
        <ButtonLink to={PRICING_PAGE}>{t('pricing.scheduleDemo')}</ButtonLink>
      </div>
    </Chapter>
  );
}
