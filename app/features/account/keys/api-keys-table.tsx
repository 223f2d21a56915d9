import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { ListedKey } from '#app/features/account/keys/load-api-keys.server.ts';

/** Keys with what they may do and until when. `mine` can be revoked; `all` says whose they are. */
export function ApiKeysTable({ keys, show, empty }: { keys: ListedKey[]; show: 'mine' | 'all'; empty: React.ReactNode }) {
  const { t } = useTranslation('account');
  const columns: Column<ListedKey>[] = [
    {
      key: 'name',
      header: t('apiKeys.name'),
      cell: (key) => (
        <>
          <bdi>{key.name}</bdi>
          <code dir="ltr" className="block text-xs font-normal text-muted">
            {key.prefix}…
          </code>
        </>
      ),
    },
    ...(show === 'all' ? [{ key: 'owner', header: t('apiKeys.owner'), cell: (key: ListedKey) => <bdi>{key.owner}</bdi> }] : []),
    {
      key: 'scopes',
      header: t('apiKeys.scopes'),
      cell: (key) => (
        <span className="flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope}>
              <span dir="ltr">{scope}</span>
            </Badge>
          ))}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('apiKeys.state'),
      cell: (key) => <Badge tone={key.state === 'active' ? 'ok' : 'neutral'}>{t(`apiKeys.is.${key.state}`)}</Badge>,
    },
    { key: 'expires', header: t('apiKeys.expires'), cell: (key) => (key.expiresAt === null ? '–' : <RelativeTime at={key.expiresAt} />) },
    {
      key: 'used',
      header: t('apiKeys.lastUsed'),
      cell: (key) => (key.lastUsedAt === null ? t('apiKeys.never') : <RelativeTime at={key.lastUsedAt} />),
    },
  ];
  if (show === 'mine')
    columns.push({
      key: 'actions',
      header: t('sessions.actions'),
      align: 'end',
      cell: (key) =>
        key.state === 'active' ? (
          <Link
            to={href('/dashboard/account/api-keys/:key/revoke', { key: key.id })}
            aria-label={t('apiKeys.revokeOf', { name: key.name })}
            className="text-link inline-block py-1"
          >
            {t('apiKeys.revoke')}
          </Link>
        ) : null,
    });
  return <DataTable caption={t('apiKeys.caption')} columns={columns} rows={keys} rowKey={(key) => key.id} empty={empty} />;
}
