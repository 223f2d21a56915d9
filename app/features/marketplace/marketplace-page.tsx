import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { CATEGORIES, TRANSPORTS } from '#app/features/marketplace/catalogue-terms.ts';
import type { LoadedMarketplace } from '#app/features/marketplace/load-marketplace.server.ts';
import { TRANSPORT_NAMES } from '#app/features/marketplace/transport-names.ts';

/** MCP servers of others, to be found and installed. */
export function MarketplacePage({ list }: { list: LoadedMarketplace }) {
  const { t, i18n } = useTranslation('marketplace');
  const format = useFormats();
  const { filter } = list;
  return (
    <PageFrame title={t('title')} description={t('description', { total: format.number(list.total), date: format.date(list.generated) })}>
      <Form
        method="get"
        role="search"
        aria-label={t('filter.label')}
        key={JSON.stringify(filter)}
        className="mb-6 grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2 lg:grid-cols-4"
      >
        <div className="grid gap-1">
          <label htmlFor="market-q" className="text-sm font-semibold">
            {t('filter.text')}
          </label>
          <input
            id="market-q"
            name="q"
            type="search"
            dir="auto"
            defaultValue={filter.q}
            maxLength={100}
            className={`${CONTROL} min-h-11`}
          />
        </div>
        <FilterChoice
          id="market-category"
          name="category"
          label={t('filter.category')}
          value={filter.category}
          all={t('filter.any')}
          options={CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) })).sort((a, b) =>
            a.label.localeCompare(b.label, i18n.language),
          )}
        />
        <FilterChoice
          id="market-transport"
          name="transport"
          label={t('filter.transport')}
          value={filter.transport}
          all={t('filter.any')}
          options={TRANSPORTS.map((value) => ({ value, label: TRANSPORT_NAMES[value] }))}
        />
        <FilterChoice
          id="market-licence"
          name="licence"
          label={t('filter.licence')}
          value={filter.licence}
          all={t('filter.any')}
          options={list.licences.map((value) => ({ value, label: value }))}
        />
        <div className="flex flex-wrap gap-2 sm:col-span-2 lg:col-span-4">
          <Button variant="secondary" size="small">
            {t('filter.apply')}
          </Button>
          <ButtonLink variant="quiet" size="small" to={href('/dashboard/marketplace')}>
            {t('filter.clear')}
          </ButtonLink>
        </div>
      </Form>
      {list.servers.length === 0 ? (
        <EmptyState title={t('noneFound')} />
      ) : (
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {list.servers.map((server) => (
            <li key={server.name} className="grid content-start gap-2 rounded-lg border border-line bg-surface p-4">
              <h2 className="font-semibold">
                <Link to={href('/dashboard/marketplace/:server', { server: server.name })} className="text-link">
                  <bdi>{server.title}</bdi>
                </Link>
              </h2>
              <p className="text-sm text-muted">
                <bdi>{server.publisher}</bdi>
              </p>
              <p lang="en" dir="ltr" className="text-sm text-start">
                {server.description}
              </p>
              <p className="flex flex-wrap gap-2">
                <Badge>{t(`category.${server.category}`)}</Badge>
                {server.transports.map((transport) => (
                  <Badge key={transport}>{TRANSPORT_NAMES[transport]}</Badge>
                ))}
                {server.licence === null ? null : <Badge>{server.licence}</Badge>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </PageFrame>
  );
}
