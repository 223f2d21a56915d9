import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { LoadedConnectionList } from '#app/features/connections/load-connection-list.server.ts';

/** The connections of one protocol. */
export function ConnectionList({ list }: { list: LoadedConnectionList }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { base, words } = CONNECTION_AREAS[list.kind];
  const connect = list.mayConnect ? (
    <ButtonLink to={href(`${base}/new`)} variant="primary">
      {t(words.connect)}
    </ButtonLink>
  ) : null;
  const addBuiltin =
    list.mayConnect && list.builtinMissing ? (
      <CommandForm hidden={{ intent: 'addBuiltin' }}>
        <SubmitButton variant="secondary" busyLabel={t('list.adding')}>
          {t('mcp.addBuiltin')}
        </SubmitButton>
      </CommandForm>
    ) : null;
  const elsewhere =
    list.kind === 'mcp' ? (
      <>
        <ButtonLink to={href('/dashboard/plugins/integrations')}>{t('app.title')}</ButtonLink>
        <ButtonLink to={href('/dashboard/marketplace')}>{t('mcp.toMarketplace')}</ButtonLink>
      </>
    ) : null;
  const isEmpty = list.connections.length === 0;
  return (
    <PageFrame
      title={t(words.title)}
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
      <DataTable
        caption={t(words.table)}
        rows={list.connections}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            header: t('columns.name'),
            cell: (row) => (
              <>
                <Link to={href(`${CONNECTION_AREAS[row.kind].base}/:connection`, { connection: row.id })} className="text-link">
                  <bdi>{row.name}</bdi>
                </Link>
                <span className="block text-sm font-normal break-all text-muted">
                  {row.address === null ? t('list.builtin') : <bdi dir="ltr">{row.address}</bdi>}
                </span>
              </>
            ),
          },
          {
            key: 'status',
            header: t('columns.status'),
            cell: (row) => <StatusWord status={row.status === 'connected' && row.changed > 0 ? 'changed' : row.status} />,
          },
          { key: 'offered', header: t(words.count), align: 'end', cell: (row) => format.number(row.offered) },
          { key: 'pending', header: t('columns.pending'), align: 'end', cell: (row) => format.number(row.pending) },
          { key: 'changed', header: t('columns.changed'), align: 'end', cell: (row) => format.number(row.changed) },
          {
            key: 'personalData',
            header: t('columns.personalData'),
            cell: (row) => (row.personalDataAllowed ? t('personalData.allowed') : t('personalData.forbidden')),
          },
          {
            key: 'lastCheck',
            header: t('columns.lastCheck'),
            cell: (row) => (row.lastCheckAt === null ? t('list.never') : <RelativeTime at={row.lastCheckAt} />),
          },
        ]}
        empty={
          <EmptyState
            title={t('list.emptyTitle')}
            description={list.mayConnect ? t(words.emptyDescription) : t('list.emptyForReaders')}
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
      <KeyPaging url={list.url} next={list.next} />
    </PageFrame>
  );
}
