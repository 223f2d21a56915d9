import { useTranslation } from 'react-i18next';
import type { ContactAnswer } from '#app/features/public/contact/contact-action.server.ts';
import { ContactForm } from '#app/features/public/contact/contact-form.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

/** The contact form on its own, and where it leads when a request has been taken. */
export function ContactPage({ answer }: { answer: ContactAnswer | null }) {
  const { t } = useTranslation('offer');
  return (
    <PublicFrame title={t('contact.title')} description={t('contact.lead')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={t('contact.title')} lead={t('contact.lead')} />
        <ContactForm answer={answer} action="/contact" />
      </div>
    </PublicFrame>
  );
}
