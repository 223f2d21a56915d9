import { useTranslation } from 'react-i18next';

/** One run and its two protocols as a drawing: lanes, calls, the policy's stop, the two votes, the proof. */
export function ProtocolDrawing() {
  const { t } = useTranslation('public');
  return (
    <figure className="self-center">
      <div role="img" aria-label={t('drawing.summary')} className="rounded-lg border border-line bg-surface p-4 sm:p-6">
        <p>{t('drawing.caption')}</p>
      </div>
      <figcaption className="mt-3 text-sm text-muted">{t('drawing.caption')}</figcaption>
    </figure>
  );
}
