import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';

/** The number of runs from which the figures of steps below are taken, where the window holds more. */
export function LookedInto({ part }: { part: { lookedInto: number | null } }) {
  const { t } = useTranslation('figures');
  const formats = useFormats();
  if (part.lookedInto === null) return null;
  return <p className="mt-8 text-sm text-muted">{t('window.lookedInto', { runs: formats.number(part.lookedInto) })}</p>;
}
