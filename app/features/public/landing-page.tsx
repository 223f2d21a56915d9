import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ProtocolDrawing } from '#app/features/public/protocol-drawing.tsx';
import { PublicFrame } from '#app/features/public/public-frame.tsx';

/** What Quorate is, in one page. */
export function LandingPage() {
  const { t } = useTranslation(['public', 'common']);
  const points = [
    { title: t('points.run.title'), text: t('points.run.text') },
    { title: t('points.approval.title'), text: t('points.approval.text') },
    { title: t('points.proof.title'), text: t('points.proof.text') },
    { title: t('points.own.title'), text: t('points.own.text') },
  ];
  return (
    <PublicFrame fullTitle={`${t('common:productName')} · ${t('common:tagline')}`} description={t('hero.text')}>
      <section className="mx-auto grid max-w-page gap-x-16 gap-y-12 px-4 pt-16 pb-20 sm:px-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:pt-24">
        <div>
          <p className="text-sm font-semibold text-accent">{t('common:tagline')}</p>
          <h1 tabIndex={-1} className="mt-3 text-4xl font-semibold tracking-tight">
            {t('hero.title')}
          </h1>
          <p className="mt-5 max-w-measure text-lg text-muted">{t('hero.text')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink to="/auth?mode=sign-up" variant="primary">
              {t('getStarted')}
            </ButtonLink>
            <ButtonLink to="/auth">{t('signIn')}</ButtonLink>
          </div>
        </div>
        <ProtocolDrawing />
      </section>
      <section aria-labelledby="points" className="border-t border-line bg-surface">
        <div className="mx-auto max-w-page px-4 py-16 sm:px-8">
          <h2 id="points" className="max-w-measure text-2xl font-semibold tracking-tight">
            {t('points.title')}
          </h2>
          <ol className="mt-8 grid gap-x-16 lg:grid-cols-2">
            {points.map((point, index) => (
              <li key={point.title} className="grid grid-cols-[2.5rem_minmax(0,1fr)] border-t border-line py-6">
                <span aria-hidden="true" className="pt-0.5 font-mono text-sm text-accent">
                  {String(index + 1).padStart(2, '0')}
                </span>
                <div>
                  <h3 className="text-lg font-semibold">{point.title}</h3>
                  <p className="mt-1.5 max-w-measure text-muted">{point.text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      </section>
    </PublicFrame>
  );
}
