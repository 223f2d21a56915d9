import { useTranslation } from 'react-i18next';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Role } from '#app/contracts/people.ts';
import { SIGN_IN_ACCOUNT_LIMIT, SIGN_IN_FROM_HERE_LIMIT } from '#app/domain/people/sign-in-limits.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { KEY_WARNING_DAYS } from '#app/features/admin/key-warning.ts';
import type { SignInSecurity } from '#app/features/admin/load-sign-in-security.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

const ROLE_WORDS = {
  user: 'role.user',
  builder: 'role.builder',
  approver: 'role.approver',
  auditor: 'role.auditor',
  admin: 'role.admin',
} as const satisfies Record<Role, string>;

/** Sign-ins, recent failures, permissions of each role, and keys that expire soon. */
export function SecurityPage({ view }: { view: SignInSecurity }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const minutes = (seconds: number) => formats.number(seconds / 60, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
  return (
    <PageFrame title={t('area.security')} description={t('areaBody.security')} breadcrumbs={useAdminCrumbs()}>
      <Section
        title={t('security.members')}
        description={t('security.membersText', {
          limit: formats.number(SIGN_IN_ACCOUNT_LIMIT.max),
          time: minutes(SIGN_IN_ACCOUNT_LIMIT.windowSeconds),
        })}
      >
        <DataTable
          caption={t('security.members')}
          rows={view.members}
          rowKey={(row) => row.id}
          empty={null}
          columns={[
            { key: 'name', header: t('security.name'), cell: (row) => <bdi>{row.name}</bdi> },
            {
              key: 'wrong',
              header: t('security.wrong'),
              align: 'end',
              cell: (row) => (
                <span className={row.wrongPasswords === 0 ? '' : 'font-semibold text-attention-ink'}>
                  {formats.number(row.wrongPasswords)}
                </span>
              ),
            },
            { key: 'sessions', header: t('security.sessions'), align: 'end', cell: (row) => formats.number(row.sessions) },
            {
              key: 'signIn',
              header: t('security.lastSignIn'),
              align: 'end',
              cell: (row) => (row.lastSignInAt === null ? t('security.never') : <RelativeTime at={row.lastSignInAt} />),
            },
            {
              key: 'seen',
              header: t('security.lastSeen'),
              align: 'end',
              cell: (row) => (row.lastSeenAt === null ? t('security.never') : <RelativeTime at={row.lastSeenAt} />),
            },
          ]}
        />
      </Section>
      <Section title={t('security.roles')} description={t('security.rolesText')}>
        <DescriptionList
          items={view.roles.map(({ role, members }) => ({
            term: t(ROLE_WORDS[role]),
            description:
              members.length === 0 ? (
                <span className="text-muted">{t('security.nobody')}</span>
              ) : (
                formats.list(members.map((name) => `\u2068${stripBidiControls(name)}\u2069`))
              ),
          }))}
        />
      </Section>
      <Section title={t('security.keys')} description={t('security.keysText', { count: KEY_WARNING_DAYS })}>
        <DataTable
          caption={t('security.keys')}
          rows={view.keys}
          rowKey={(row) => row.id}
          empty={<EmptyState title={t('security.noKeys')} description={t('security.noKeysText')} />}
          columns={[
            { key: 'name', header: t('security.key'), cell: (row) => <bdi>{row.name}</bdi> },
            {
              key: 'prefix',
              header: t('security.prefix'),
              cell: (row) => (
                <code dir="ltr" className="font-mono text-sm">
                  {row.prefix}…
                </code>
              ),
            },
            { key: 'owner', header: t('security.owner'), cell: (row) => <bdi>{row.owner}</bdi> },
            { key: 'ends', header: t('security.ends'), align: 'end', cell: (row) => <RelativeTime at={row.expiresAt} /> },
            {
              key: 'used',
              header: t('security.used'),
              align: 'end',
              cell: (row) => (row.lastUsedAt === null ? t('security.never') : <RelativeTime at={row.lastUsedAt} />),
            },
          ]}
        />
      </Section>
      <Section title={t('security.limits')}>
        <DescriptionList
          items={[
            {
              term: t('security.fromHere'),
              description: t('security.limit', {
                limit: formats.number(SIGN_IN_FROM_HERE_LIMIT.max),
                time: minutes(SIGN_IN_FROM_HERE_LIMIT.windowSeconds),
              }),
            },
            {
              term: t('security.account'),
              description: t('security.limit', {
                limit: formats.number(SIGN_IN_ACCOUNT_LIMIT.max),
                time: minutes(SIGN_IN_ACCOUNT_LIMIT.windowSeconds),
              }),
            },
          ]}
        />
      </Section>
    </PageFrame>
  );
}
