import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useNamed } from '#app/components/text/named.ts';

/** The frame of every chart: a name, its content in one sentence, the drawing for the eye, and the same as a table. */
export function ChartFigure({
  title,
  summary,
  table,
  empty,
  children,
}: {
  title: string;
  summary?: ReactNode;
  table: ReactNode;
  empty: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const { screenReaderMode } = useAccessibility().settings;
  const named = useNamed();
  const titleId = useId();
  return (
    <figure aria-labelledby={titleId} className="rounded-lg border border-line bg-surface p-4 sm:p-5">
      <figcaption className="mb-4">
        <p id={titleId} className="font-semibold">
          {title}
        </p>
        {summary && !empty ? <p className="mt-0.5 max-w-measure text-sm text-muted">{summary}</p> : null}
      </figcaption>
      {empty ? (
        <p className="py-10 text-center text-muted">{t('chart.empty')}</p>
      ) : (
        <>
          <div aria-hidden="true" data-decorative="">
            {children}
          </div>
          <details {...(screenReaderMode ? { open: true } : {})} className="mt-3 print:hidden">
            <summary aria-label={named(t('chart.asTable'), title)} className="text-link inline-block py-0.5 text-sm">
              {t('chart.asTable')}
            </summary>
            <div className="mt-2">{table}</div>
          </details>
        </>
      )}
    </figure>
  );
}
