import CircleAlert from 'lucide-react/icons/circle-alert';
import { useTranslation } from 'react-i18next';

/** What stands in the place of a part that failed: its name, and that the rest is well. */
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
