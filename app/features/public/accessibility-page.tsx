import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

/** Accessibility: what is done, what is tested, and what is missing. */
export function AccessibilityPage() {
  const { t } = useTranslation('legal');
  return (
    <PublicFrame title={t('accessibility.title')} description={t('accessibility.lead')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={t('accessibility.title')} lead={t('accessibility.lead')} />
        <div className="grid max-w-3xl gap-10">
          <section>
            <h2 className="text-xl font-semibold">{t('accessibility.tested.title')}</h2>
            <ul className="mt-3 grid max-w-measure list-disc gap-2 ps-6">
              {(['axe', 'scripts', 'keyboard', 'zoom', 'contrast', 'directions', 'reader', 'html'] as const).map((check) => (
                <li key={check}>{t(`accessibility.tested.${check}`)}</li>
              ))}
            </ul>
          </section>
          {(['walk', 'target', 'settings', 'limits'] as const).map((part) => (
            <section key={part}>
              <h2 className="text-xl font-semibold">{t(`accessibility.${part}.title`)}</h2>
              <p className="mt-2 max-w-measure">{t(`accessibility.${part}.text`)}</p>
            </section>
          ))}
          <section>
            <h2 className="text-xl font-semibold">{t('accessibility.tell.title')}</h2>
            <p className="mt-2 max-w-measure">{t('accessibility.tell.text')}</p>
            <p className="mt-3">
              <Link className="text-link inline-block py-1" to={`${href('/contact')}?topic=other`}>
                {t('accessibility.tell.link')}
              </Link>
            </p>
          </section>
        </div>
      </div>
    </PublicFrame>
  );
}
