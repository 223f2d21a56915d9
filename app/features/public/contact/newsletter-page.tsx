import { useTranslation } from 'react-i18next';
import type { NewsletterAnswer } from '#app/features/public/contact/newsletter-action.server.ts';
import { NewsletterForm } from '#app/features/public/contact/newsletter-form.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

/** The newsletter on its own: where its form leads without scripts. */
export function NewsletterPage({ answer }: { answer: NewsletterAnswer | null }) {
  const { t } = useTranslation('public');
  return (
    <PublicFrame title={t('newsletter.title')} description={t('newsletter.text')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={t('newsletter.title')} lead={t('newsletter.text')} />
        <NewsletterForm answer={answer} />
      </div>
    </PublicFrame>
  );
}
