import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { Paging } from '#app/components/data/paging.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { addressOf, FacetList } from '#app/features/marketplace/facet-list.tsx';
import { FACETS } from '#app/features/marketplace/facet-names.ts';
import type { LoadedMarketplace } from '#app/features/marketplace/load-marketplace.server.ts';
import { MarketCards } from '#app/features/marketplace/market-card.tsx';

/** MCP servers of others, to be found and connected: what can be connected now comes first. */
export function MarketplacePage({ list }: { list: LoadedMarketplace }) {
  const { t } = useTranslation('marketplace');
  const format = useFormats();
  const { filter, servers } = list;
  const [now, later] = [servers.filter(({ reach }) => reach === 'now'), servers.filter(({ reach }) => reach !== 'now')];
  return (
    <PageFrame
      wide
      title={t('title')}
      description={t('description', { total: format.number(list.total), date: format.date(list.generated) })}
      actions={
        list.mayImport ? (
          <ButtonLink variant="secondary" to={href('/dashboard/marketplace/registries')}>
            {t('registries.title')}
          </ButtonLink>
        ) : undefined
      }
    >
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="grid content-start gap-4">
          <MarketSearch list={list} />
          <FacetList filter={filter} facets={list.facets} registries={list.registries} />
        </div>
        <div className="min-w-0">
          <p role="status" className="mb-4 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
            {t('found', { count: list.found, number: format.number(list.found) })}
            {filter.q === '' && FACETS.every((facet) => filter[facet] === '') ? null : (
              <ButtonLink variant="quiet" size="small" to={href('/dashboard/marketplace')}>
                {t('filter.clear')}
              </ButtonLink>
            )}
          </p>
          {servers.length === 0 ? <EmptyState title={t('noneFound')} /> : null}
          {now.length === 0 ? null : (
            <section aria-labelledby="market-now">
              <h2 id="market-now" className="mb-3 text-lg font-semibold">
                {t('groups.now')}
              </h2>
              <MarketCards servers={now} headingLevel={3} />
            </section>
          )}
          {later.length === 0 ? null : (
            <section aria-labelledby="market-later" className="mt-8 first:mt-0">
              <h2 id="market-later" className="mb-3 text-lg font-semibold">
                {t('groups.later')}
              </h2>
              <MarketCards servers={later} headingLevel={3} />
            </section>
          )}
          <Paging page={list.page} pageCount={list.pageCount} url={addressOf(filter)} />
        </div>
      </div>
    </PageFrame>
  );
}

/** By text; the facets that were chosen stay. */
function MarketSearch({ list: { filter } }: { list: LoadedMarketplace }) {
  const { t } = useTranslation('marketplace');
  return (
    <Form method="get" role="search" aria-label={t('filter.label')} key={JSON.stringify(filter)} className="flex gap-2">
      <label htmlFor="market-q" className="sr-only">
        {t('filter.text')}
      </label>
      <input
        id="market-q"
        name="q"
        type="search"
        dir="auto"
        placeholder={t('filter.text')}
        defaultValue={filter.q}
        maxLength={100}
        className={`${CONTROL} min-h-11 min-w-0`}
      />
      {FACETS.map((facet) => (filter[facet] === '' ? null : <input key={facet} type="hidden" name={facet} value={filter[facet]} />))}
      <Button variant="secondary">{t('filter.apply')}</Button>
    </Form>
  );
}
