import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';
import { withParam } from '#app/domain/web/list-address.ts';
import X from '~icons/x';

/** Each facet in words, under its name in the address. */
export type FacetWords = Readonly<Record<string, { label: string; of: (value: string) => string }>>;

/**
 * The values by which a list can be narrowed, each a link with the number of rows that it leaves; the link of a chosen one takes it back.
 * A facet of a single value is not shown: it narrows nothing.
 */
export function FacetLinks({ url, counts, words }: { url: string; counts: FacetCounts; words: FacetWords }) {
  const { t } = useTranslation('common');
  const formats = useFormats();
  const shown = counts.facets.filter(({ counts: values, chosen }) => values.length > 1 || chosen !== '');
  if (shown.length === 0) return null;
  return (
    <nav aria-label={t('facets.label')} className="mb-4 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      {shown.map(({ name, chosen, counts: values }) => (
        <div key={name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span id={`facet-${name}`} className="text-sm font-semibold">
            {words[name]?.label}
          </span>
          <ul aria-labelledby={`facet-${name}`} className="flex flex-wrap gap-1.5">
            {values.map(({ value, count }) => (
              <li key={value}>
                <Link
                  to={withParam(url, name, value === chosen ? '' : value)}
                  preventScrollReset
                  aria-current={value === chosen ? 'true' : undefined}
                  className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-edge/60 bg-surface px-3 text-sm text-ink no-underline hover:bg-raised aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent"
                >
                  <bdi>{words[name]?.of(value)}</bdi>
                  <span className="text-muted tabular-nums">
                    {counts.bounded ? t('facets.atLeast', { number: formats.number(count) }) : formats.number(count)}
                  </span>
                  {value === chosen ? (
                    <>
                      <X aria-hidden="true" className="size-4 shrink-0" />
                      <span className="sr-only">{t('facets.remove')}</span>
                    </>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
