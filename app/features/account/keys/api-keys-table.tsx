import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { SelectBox, SelectionBar } from '#app/components/list/selection.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { ListedKey, LoadedKeyList } from '#app/features/account/keys/load-key-list.server.ts';

/** Keys with what they may do and until when. One's own can be revoked; of everyone's it says whose they are. */
export function ApiKeysTable({ view, caption, empty }: { view: LoadedKeyList; caption: string; empty: React.ReactNode }) {
  const { t } = useTranslation('account');
  const { list, keys, whose } = view;
  const columns = useColumns(whose);
  return (
    <>
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{ state: { label: t('apiKeys.state'), of: (value) => t(`apiKeys.is.${value as ListedKey['state']}`) } }}
      />
      <ListTable list={list} caption={caption} columns={columns} rows={keys} rowKey={(key) => key.id} empty={empty}>
        {whose === 'own' && keys.some(({ state }) => state === 'active') ? (
          <SelectionBar
            method="get"
            action={href('/dashboard/account/api-keys/revoke')}
            hidden={{}}
            label={t('apiKeys.several.with')}
            acts={[{ value: 'revoke', label: t('apiKeys.several.revoke') }]}
          />
        ) : null}
      </ListTable>
    </>
  );
}

function useColumns(whose: LoadedKeyList['whose']): Column<ListedKey>[] {
  const { t } = useTranslation('account');
  const owner: Column<ListedKey> = { key: 'owner', header: t('apiKeys.owner'), sortable: true, cell: (key) => <bdi>{key.owner}</bdi> };
  const revoke: Column<ListedKey> = {
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
  };
  return [
    {
      key: 'name',
      header: t('apiKeys.name'),
      sortable: true,
      cell: (key) => (
        <span className="flex items-baseline gap-3">
          {whose === 'own' && key.state === 'active' ? <SelectBox name="key" value={key.id} of={key.name} /> : null}
          <span>
            <bdi>{key.name}</bdi>
            <code dir="ltr" className="block text-xs font-normal text-muted">
              {key.prefix}…
            </code>
          </span>
        </span>
      ),
    },
    ...(whose === 'all' ? [owner] : []),
    {
      key: 'scopes',
      header: t('apiKeys.scopes'),
      minor: true,
      cell: (key) => (
        <span className="flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope}>
              <span dir="ltr">{scope}</span>
            </Badge>
          ))}
          {key.networks.length > 0 ? (
            <span className="basis-full text-xs text-muted">
              {t('apiKeys.onlyFrom')} <bdi dir="ltr">{key.networks.join(', ')}</bdi>
            </span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('apiKeys.state'),
      cell: (key) => <Badge tone={key.state === 'active' ? 'ok' : 'neutral'}>{t(`apiKeys.is.${key.state}`)}</Badge>,
    },
    {
      key: 'created',
      header: t('apiKeys.createdAt'),
      sortable: true,
      minor: true,
      cell: (key) => <RelativeTime at={key.createdAt} />,
    },
    {
      key: 'expires',
      header: t('apiKeys.expires'),
      sortable: true,
      cell: (key) => (key.expiresAt === null ? '–' : <RelativeTime at={key.expiresAt} />),
    },
    {
      key: 'used',
      header: t('apiKeys.lastUsed'),
      sortable: true,
      cell: (key) => (key.lastUsedAt === null ? t('apiKeys.never') : <RelativeTime at={key.lastUsedAt} />),
    },
    ...(whose === 'own' ? [revoke] : []),
  ];
}
