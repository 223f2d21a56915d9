import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { TokenRow } from '#app/features/provisioning/load-provisioning.server.ts';

/** The tokens that work, never a hash; each with what an admin may do with it. */
export function TokensTable({ tokens }: { tokens: readonly TokenRow[] }) {
  const { t } = useTranslation('provisioning');
  const columns: Column<TokenRow>[] = [
    { key: 'name', header: t('name'), cell: (row) => <bdi>{row.name}</bdi> },
    {
      key: 'prefix',
      header: t('prefix'),
      cell: (row) => (
        <code dir="ltr" className="font-mono text-sm">
          {row.prefix}…
        </code>
      ),
    },
    { key: 'state', header: t('state'), cell: (row) => t(row.control) },
    {
      key: 'created',
      header: t('created'),
      cell: (row) => (
        <>
          <RelativeTime at={row.createdAt} />
          {row.maker === null ? null : <span className="block text-sm text-muted">{t('by', { name: `\u2068${row.maker}\u2069` })}</span>}
        </>
      ),
    },
    { key: 'used', header: t('used'), cell: (row) => (row.usedAt === null ? t('never') : <RelativeTime at={row.usedAt} />) },
    { key: 'expires', header: t('expires'), cell: (row) => <RelativeTime at={row.expiresAt} /> },
    { key: 'actions', header: t('actions'), align: 'end', cell: (row) => <Actions row={row} /> },
  ];
  return (
    <DataTable
      caption={t('tokens')}
      columns={columns}
      rows={tokens}
      rowKey={(row) => row.id}
      empty={<EmptyState title={t('noTokens')} description={t('noTokensText')} />}
    />
  );
}

function Actions({ row }: { row: TokenRow }) {
  const { t } = useTranslation('provisioning');
  const { name } = row;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-4">
      {row.mayConfirm ? (
        <Form method="post">
          <WorkspaceInput />
          <input type="hidden" name="confirm" value={row.id} />
          <Button size="small" variant="quiet" aria-label={t('confirmOf', { name })}>
            {t('confirm')}
          </Button>
        </Form>
      ) : null}
      <Link
        to={`${href('/dashboard/admin/provisioning/new')}?replaces=${row.id}`}
        aria-label={t('replaceOf', { name })}
        className="text-link inline-block py-1"
      >
        {t('replace')}
      </Link>
      <Link
        to={href('/dashboard/admin/provisioning/:token/revoke', { token: row.id })}
        aria-label={t('revokeOf', { name })}
        className="text-link inline-block py-1"
      >
        {t('revoke')}
      </Link>
    </span>
  );
}
