import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { ApiKeysTable } from '#app/features/account/keys/api-keys-table.tsx';
import type { ApiKeysView } from '#app/features/account/keys/load-api-keys.server.ts';

/** One's own keys of the current workspace: created only here. */
export function ApiKeysPage({ view }: { view: ApiKeysView }) {
  const { t } = useTranslation('account');
  const make = (
    <ButtonLink to={href('/dashboard/account/api-keys/new')} variant="primary">
      {t('apiKeys.create')}
    </ButtonLink>
  );
  return (
    <AccountFrame
      title={t('area.apiKeys')}
      description={t('apiKeys.body', { workspace: view.workspace })}
      actions={view.keys.length === 0 ? undefined : make}
    >
      <ApiKeysTable
        keys={view.keys}
        show="mine"
        empty={<EmptyState title={t('apiKeys.emptyTitle')} description={t('apiKeys.emptyBody')} action={make} />}
      />
      <Pages view={view} path={href('/dashboard/account/api-keys')} />
    </AccountFrame>
  );
}

function Pages({ view, path }: { view: ApiKeysView; path: string }) {
  const { t } = useTranslation('account');
  if (view.next === null && !view.paged) return null;
  return (
    <nav aria-label={t('apiKeys.pages')} className="mt-4 flex flex-wrap gap-3">
      {view.paged ? <ButtonLink to={path}>{t('apiKeys.newest')}</ButtonLink> : null}
      {view.next === null ? null : <ButtonLink to={`${path}?before=${view.next}`}>{t('apiKeys.older')}</ButtonLink>}
    </nav>
  );
}

/** Everyone's keys, for who answers for the workspace. They are made and revoked by their owners, and end with the membership. */
export function WorkspaceApiKeysPage({ view }: { view: ApiKeysView }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('apiKeys.allTitle')}
      description={t('apiKeys.allBody', { workspace: view.workspace })}
      breadcrumbs={[{ label: t('apiKeys.admin'), to: href('/dashboard/admin') }]}
    >
      <ApiKeysTable
        keys={view.keys}
        show="all"
        empty={<EmptyState title={t('apiKeys.emptyTitle')} description={t('apiKeys.allEmptyBody')} />}
      />
      <Pages view={view} path={href('/dashboard/admin/api-keys')} />
    </PageFrame>
  );
}
