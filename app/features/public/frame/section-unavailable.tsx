import { useTranslation } from 'react-i18next';
import CircleAlert from '~icons/circle-alert';

/** The fallback of a failed part: its name, and that the rest works. */
export function SectionUnavailable({ name }: { name: string }) {
  const { t } = useTranslation('public');
  return (
    <section className="mx-auto w-full max-w-page px-4 py-12 sm:px-8">
      <div className="flex items-start gap-3 rounded-lg border border-dashed border-edge px-4 py-4 text-muted">
        <CircleAlert aria-hidden="true" className="mt-1 size-5 shrink-0" />
        <div>
          <h2 className="font-semibold text-ink">{name}</h2>
          <p>{t('sectionUnavailable')}</p>
        </div>
      </div>
    </section>
  );
}
