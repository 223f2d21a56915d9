import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ContactAnswer } from '#app/features/public/contact/contact-action.server.ts';
import { ContactForm } from '#app/features/public/contact/contact-form.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';
import { PublicPart } from '#app/features/public/frame/public-part.tsx';
import { PlanCards } from '#app/features/public/landing/plan-cards.tsx';
import { PlanTable } from '#app/features/public/plan-table.tsx';

/** The three plans, side by side in every figure that the product holds them to, and the way to agree on the third. */
export function PricingPage({ answer }: { answer: ContactAnswer | null }) {
  const { t } = useTranslation(['offer', 'landing']);
  return (
    <PublicFrame title={t('pricing.title')} description={t('pricing.description')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={t('pricing.title')} lead={t('landing:pricing.lead')} />
        <PlanCards contact="?topic=sales#contact" headingLevel={2} />
        <p className="mt-6 grid sm:flex sm:justify-end">
          <ButtonLink to="?topic=demo#contact">{t('landing:pricing.scheduleDemo')}</ButtonLink>
        </p>
        <PublicPart title={t('pricing.compare')} lead={t('pricing.compareLead')}>
          <PlanTable />
        </PublicPart>
        <PublicPart title={t('pricing.rules')}>
          <dl className="grid gap-x-12 gap-y-8 md:grid-cols-2">
            {(['trial', 'counted', 'over', 'leaving'] as const).map((rule) => (
              <div key={rule} className="border-t border-line pt-4">
                <dt className="font-semibold">{t(`pricing.${rule}.title`)}</dt>
                <dd className="mt-1.5 max-w-measure text-muted">{t(`pricing.${rule}.text`)}</dd>
              </div>
            ))}
          </dl>
        </PublicPart>
        <PublicPart id="contact" title={t('contact.title')} lead={t('contact.lead')}>
          <ContactForm answer={answer} action="/pricing" />
        </PublicPart>
      </div>
    </PublicFrame>
  );
}
