import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { SelectedKey } from '#app/features/account/keys/revoke-several.server.ts';

/** The keys that were selected, before they are revoked for good. */
export function RevokeSeveralPage({ keys }: { keys: readonly SelectedKey[] }) {
  const { t } = useTranslation('account');
  const list = href('/dashboard/account/api-keys');
  return (
    <PageFrame
      title={t('apiKeys.several.title')}
      description={t('apiKeys.several.text')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.apiKeys'), to: list },
      ]}
    >
      <DataTable
        caption={t('apiKeys.several.caption')}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
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
          { key: 'created', header: t('apiKeys.createdAt'), cell: (key) => <RelativeTime at={key.createdAt} /> },
          {
            key: 'used',
            header: t('apiKeys.lastUsed'),
            cell: (key) => (key.lastUsedAt === null ? t('apiKeys.never') : <RelativeTime at={key.lastUsedAt} />),
          },
        ]}
        empty={
          <EmptyState
            title={t('apiKeys.several.none')}
            description={t('apiKeys.several.noneText')}
            action={<ButtonLink to={list}>{t('apiKeys.several.back')}</ButtonLink>}
          />
        }
      />
      {keys.length > 0 && (
        <CommandForm hidden={{}} className="mt-6 flex flex-wrap gap-3">
          {keys.map(({ id }) => (
            <input key={id} type="hidden" name="key" value={id} />
          ))}
          <SubmitButton variant="danger" busyLabel={t('apiKeys.revoking')}>
            {t('apiKeys.several.submit', { count: keys.length })}
          </SubmitButton>
          <ButtonLink to={list} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </CommandForm>
      )}
    </PageFrame>
  );
}
