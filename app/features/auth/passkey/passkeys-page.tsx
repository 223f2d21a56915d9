import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { RecoveryCodes } from '#app/features/auth/factor/recovery-codes.tsx';
import { AddPasskey } from '#app/features/auth/passkey/add-passkey.tsx';
import type { PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import type { PasskeysView } from '#app/features/auth/passkey/load-passkeys.server.ts';

type Passkey = PasskeysView['passkeys'][number];

/** One's own passkeys, and the way to another one. */
export function PasskeysPage({ view, answer }: { view: PasskeysView; answer: PasskeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('passkeys.title')}
      description={t('passkeys.body')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.security'), to: href('/dashboard/account/security') },
      ]}
    >
      {answer?.codes ? (
        <RecoveryCodes codes={answer.codes} next={href('/dashboard/account/security/passkeys')} />
      ) : (
        <>
          <Passkeys passkeys={view.passkeys} />
          <Section title={t('passkeys.add')} description={t('passkeys.addBody')}>
            {view.possible ? (
              <AddPasskey ways={view.ways} answer={answer} />
            ) : (
              <Notice kind="info" title={t('passkeys.impossible')}>
                {t('passkeys.impossibleBody')}
              </Notice>
            )}
          </Section>
        </>
      )}
    </PageFrame>
  );
}

function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const { t } = useTranslation('account');
  const columns: Column<Passkey>[] = [
    {
      key: 'name',
      header: t('passkeys.name'),
      cell: ({ id, name, backedUp, doubtedAt }) => (
        <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={href('/dashboard/account/security/passkeys/:passkey', { passkey: id })} className="text-link">
            <bdi>{name}</bdi>
          </Link>
          {backedUp ? <Badge>{t('passkeys.backedUp')}</Badge> : null}
          {doubtedAt === null ? null : <Badge tone="danger">{t('passkeys.doubted')}</Badge>}
        </span>
      ),
    },
    {
      key: 'used',
      header: t('passkeys.lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('passkeys.never') : <RelativeTime at={lastUsedAt} />),
    },
    { key: 'made', header: t('passkeys.created'), cell: ({ createdAt }) => <RelativeTime at={createdAt} exact /> },
  ];
  return (
    <DataTable
      caption={t('passkeys.title')}
      columns={columns}
      rows={passkeys}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t('passkeys.none')} description={t('passkeys.noneBody')} />}
    />
  );
}
