import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { Monogram } from '#app/components/data/monogram.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { isNarrowed } from '#app/domain/web/list-address.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { ConnectionRow, LoadedConnectionList } from '#app/features/connections/load-connection-list.server.ts';

/** The connections of one protocol. */
export function ConnectionList({ loaded }: { loaded: LoadedConnectionList }) {
  const { t } = useTranslation('connections');
  const { t: common } = useTranslation('common');
  const { kind, list, connections } = loaded;
  const columns = useColumns(kind);
  const { base, words } = CONNECTION_AREAS[kind];
  const connect = loaded.mayConnect ? (
    <ButtonLink to={href(`${base}/new`)} variant="primary">
      {t(words.connect)}
    </ButtonLink>
  ) : null;
  const addBuiltin =
    loaded.mayConnect && loaded.builtinMissing ? (
      <CommandForm hidden={{ intent: 'addBuiltin' }}>
        <SubmitButton variant="secondary" busyLabel={t('list.adding')}>
          {t('mcp.addBuiltin')}
        </SubmitButton>
      </CommandForm>
    ) : null;
  const elsewhere =
    kind === 'mcp' ? (
      <>
        <ButtonLink to={href('/dashboard/plugins/gateways')}>{t('mcp.toGateways')}</ButtonLink>
        <ButtonLink to={href('/dashboard/plugins/integrations')}>{t('app.title')}</ButtonLink>
        <ButtonLink to={href('/dashboard/marketplace')}>{t('mcp.toMarketplace')}</ButtonLink>
      </>
    ) : null;
  const isEmpty = connections.length === 0 && !isNarrowed(list.url);
  return (
    <PageFrame
      title={t(words.title)}
      wide
      description={t(words.description)}
      actions={
        isEmpty ? null : (
          <>
            {elsewhere}
            {addBuiltin}
            {connect}
          </>
        )
      }
    >
      <ListSearch url={list.url} rows={connections.length} label={t('list.search')} submit={common('list.search')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          status: { label: t('columns.status'), of: (value) => common(`status.${value as ConnectionRow['status']}`) },
          kind: { label: t('columns.kind'), of: (value) => (value === 'app' ? t('app.title') : 'MCP') },
        }}
      />
      <ListTable
        list={list}
        caption={t(words.table)}
        rows={connections}
        rowKey={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState
            title={t('list.emptyTitle')}
            description={loaded.mayConnect ? t(words.emptyDescription) : t('list.emptyForReaders')}
            action={
              <>
                {elsewhere}
                {addBuiltin}
                {connect}
              </>
            }
          />
        }
      />
    </PageFrame>
  );
}

function useColumns(kind: LoadedConnectionList['kind']): Column<ConnectionRow>[] {
  const { t } = useTranslation('connections');
  const format = useFormats();
  return [
    {
      key: 'name',
      header: t('columns.name'),
      sortable: true,
      cell: (row) => (
        <span className="flex gap-3">
          <Monogram name={row.name} size="size-9 text-xs" />
          <span className="min-w-0">
            <Link to={href(`${CONNECTION_AREAS[row.kind].base}/:connection`, { connection: row.id })} className="text-link">
              <bdi>{row.name}</bdi>
            </Link>
            <span className="block text-sm font-normal wrap-anywhere text-muted">
              {row.address === null ? t('list.builtin') : <bdi dir="ltr">{row.address}</bdi>}
            </span>
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: t('columns.status'),
      sortable: true,
      cell: (row) => <StatusWord status={row.status === 'connected' && row.changed > 0 ? 'changed' : row.status} />,
    },
    {
      key: 'offered',
      header: t(CONNECTION_AREAS[kind].words.count),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (row) => format.number(row.offered),
    },
    { key: 'pending', header: t('columns.pending'), align: 'end', sortable: true, cell: (row) => format.number(row.pending) },
    { key: 'changed', header: t('columns.changed'), align: 'end', sortable: true, minor: true, cell: (row) => format.number(row.changed) },
    {
      key: 'personalData',
      header: t('columns.personalData'),
      minor: true,
      cell: (row) => (row.personalDataAllowed ? t('personalData.allowed') : t('personalData.forbidden')),
    },
    {
      key: 'lastCheck',
      header: t('columns.lastCheck'),
      sortable: true,
      cell: (row) => (row.lastCheckAt === null ? t('list.never') : <RelativeTime at={row.lastCheckAt} />),
    },
  ];
}
