import { useTranslation } from 'react-i18next';

/** A hash in hexadecimal: its beginning to the eye, all of it to whoever selects, focuses or prints it. */
export function Digest({ value, full = false }: { value: string; full?: boolean }) {
  const { t } = useTranslation('common');
  if (full)
    return (
      <code dir="ltr" className="font-mono text-sm break-all">
        {value}
      </code>
    );
  return (
    <details className="group inline-block max-w-full align-baseline" data-digest="">
      <summary
        className="inline list-none font-mono text-sm text-ink underline decoration-line decoration-dotted underline-offset-4"
        title={value}
      >
        <span className="sr-only">{t('digest.label')} </span>
        <code dir="ltr" className="group-open:hidden print:hidden">
          {value.slice(0, 12)}…
        </code>
        <span className="hidden text-muted group-open:inline">{t('digest.hide')}</span>
      </summary>
      <code dir="ltr" className="block font-mono text-sm break-all">
        {value}
      </code>
    </details>
  );
}
