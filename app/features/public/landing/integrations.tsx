import { useTranslation } from 'react-i18next';
import { useLabel } from '#app/components/text/named.ts';
import { FURTHER_INTEGRATIONS, INTEGRATIONS } from '#app/features/public/evidence/claims.ts';
import { CarouselTrack } from '#app/features/public/landing/carousel-track.tsx';

/** The five, side by side: the carousel moves them, and without scripts one scrolls. */
export function IntegrationTrack() {
  const { t } = useTranslation('landing');
  const label = useLabel();
  return (
    <CarouselTrack
      slides={INTEGRATIONS.map(({ id, category }) => (
        <div key={id} className="h-full rounded-lg border border-line bg-surface p-5 sm:p-6">
          <p className="font-mono text-xs text-muted">{category}</p>
          <h3 className="mt-1 text-xl font-semibold">{t(`integrations.${id}.name`)}</h3>
          <p className="mt-2 max-w-measure text-muted">{t(`integrations.${id}.text`)}</p>
          <p className="mt-4 max-w-measure border-s-2 border-accent ps-4">
            <span className="font-semibold">{label(t('integrations.useCase'))} </span>
            {t(`integrations.${id}.useCase`)}
          </p>
        </div>
      ))}
    />
  );
}

/** The extended list: the five and the sixth. */
export function IntegrationGrid() {
  const { t } = useTranslation('landing');
  return (
    <>
      <h3 className="flex min-h-9 items-center text-xl font-semibold max-lg:mt-8">{t('integrations.further')}</h3>
      <ul className="mt-3 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line hyphens-auto sm:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3">
        {[...INTEGRATIONS, ...FURTHER_INTEGRATIONS].map(({ id, category }) => (
          <li key={id} className="bg-surface p-2.5 sm:p-4" data-reveal-item="">
            <p className="font-mono text-xs text-muted">{category}</p>
            <h4 className="mt-1 font-semibold max-sm:text-sm">{t(`integrations.${id}.name`)}</h4>
            {/* On a phone the carousel has just said it. */}
            <p className={`mt-1 text-sm text-muted ${FURTHER_INTEGRATIONS.some((further) => further.id === id) ? '' : 'max-sm:hidden'}`}>
              {t(`integrations.${id}.text`)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
