import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Category, Reach, Transport } from '#app/features/marketplace/catalogue-terms.ts';
import { CATALOGUE, FACETS, type Facet, type FacetCounts } from '#app/features/marketplace/facet-names.ts';
import type { MarketFilter } from '#app/features/marketplace/facets.ts';
import { TRANSPORT_NAMES } from '#app/features/marketplace/transport-names.ts';
import X from '~icons/x';

type Props = { filter: MarketFilter; facets: FacetCounts; registries: readonly { id: string; name: string }[] };

/** The choices that there are, each with the number of servers that it leaves. A choice is a link, and so is taking it back. */
export function FacetList({ filter, facets, registries }: Props) {
  const { t } = useTranslation('marketplace');
  const formats = useFormats();
  const words: Record<Facet, (value: string) => string> = {
    reach: (value) => t(`reach.${value as Reach}`),
    category: (value) => t(`category.${value as Category}`),
    transport: (value) => TRANSPORT_NAMES[value as Transport],
    licence: (value) => value,
    source: (value) => (value === CATALOGUE ? t('catalogue') : (registries.find(({ id }) => id === value)?.name ?? t('registryGone'))),
  };
  return (
    <nav aria-label={t('filter.facets')} className="grid content-start gap-2">
      {FACETS.filter((facet) => facets[facet].length > 1 || filter[facet] !== '').map((facet) => (
        <details
          key={facet}
          open={facet === 'reach' || filter[facet] !== ''}
          className="rounded-lg border border-line bg-surface px-3 py-2"
        >
          <summary className="min-h-8 cursor-pointer content-center text-sm font-semibold">{t(`filter.${facet}`)}</summary>
          <ul className="mt-1 grid max-h-80 overflow-y-auto">
            {facets[facet].map(({ value, count }) => {
              const chosen = filter[facet] === value;
              return (
                <li key={value}>
                  <Link
                    to={addressOf({ ...filter, [facet]: chosen ? '' : value })}
                    preventScrollReset
                    aria-current={chosen ? 'true' : undefined}
                    className="flex min-h-8 items-center justify-between gap-3 rounded-md px-2 text-sm text-ink no-underline hover:bg-raised aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent"
                  >
                    <bdi className="min-w-0 wrap-anywhere">{words[facet](value)}</bdi>
                    {chosen ? (
                      <>
                        <X aria-hidden="true" className="size-4 shrink-0" />
                        <span className="sr-only">{t('filter.remove')}</span>
                      </>
                    ) : (
                      <span className="text-muted tabular-nums">{formats.number(count)}</span>
                    )}
                  </Link>
                </li>
              );
            })}
          </ul>
        </details>
      ))}
    </nav>
  );
}

/** The list with this filter, from its first page on. */
export function addressOf(filter: MarketFilter): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(chosen).toString();
  return query === '' ? href('/dashboard/marketplace') : `${href('/dashboard/marketplace')}?${query}`;
}
