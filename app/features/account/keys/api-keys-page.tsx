import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { ApiKeysTable } from '#app/features/account/keys/api-keys-table.tsx';
import type { LoadedKeyList } from '#app/features/account/keys/load-key-list.server.ts';

/** One's own keys of the current workspace: created only here. */
export function ApiKeysPage({ view }: { view: LoadedKeyList }) {
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
        view={view}
        caption={t('area.apiKeys')}
        empty={<EmptyState title={t('apiKeys.emptyTitle')} description={t('apiKeys.emptyBody')} action={make} />}
      />
    </AccountFrame>
  );
}

/** Everyone's keys, for who answers for the workspace. They are made and revoked by their owners, and end with the membership. */
export function WorkspaceApiKeysPage({ view }: { view: LoadedKeyList }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('apiKeys.allTitle')}
      wide
      description={t('apiKeys.allBody', { workspace: view.workspace })}
      breadcrumbs={[{ label: t('apiKeys.admin'), to: href('/dashboard/admin') }]}
    >
      <ApiKeysTable
        view={view}
        caption={t('apiKeys.allTitle')}
        empty={<EmptyState title={t('apiKeys.emptyTitle')} description={t('apiKeys.allEmptyBody')} />}
      />
    </PageFrame>
  );
}
