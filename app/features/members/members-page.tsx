import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { Avatar } from '#app/components/data/avatar.tsx';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { Role } from '#app/contracts/people.ts';
import { lastDay } from '#app/domain/web/last-day.ts';
import type { MemberRow, MembersView } from '#app/features/members/load-members.server.ts';
import type { InvitationRow } from '#app/features/members/load-pending.server.ts';
import { RoleWords } from '#app/features/members/role-words.tsx';

export function MembersPage({ view }: { view: MembersView }) {
  const { t } = useTranslation('members');
  return (
    <PageFrame
      title={t('membersTitle')}
      wide
      description={t('membersDescription', { workspace: view.workspace })}
      breadcrumbs={[{ label: t('adminTitle'), to: href('/dashboard/admin') }]}
      actions={
        view.manages ? (
          <ButtonLink to={href('/dashboard/admin/members/invite')} variant="primary">
            {t('invite')}
          </ButtonLink>
        ) : undefined
      }
    >
      <div className="grid gap-6">
        {view.manages ? null : <Notice kind="info" title={t('onlyAdmins')} />}
        {view.hasApprover ? null : <Notice kind="attention" title={t('noApprover')} />}
        {view.waiting === 0 ? null : (
          <Notice kind="info" title={t('changesWait', { count: view.waiting })}>
            <Link className="text-link py-0.5" to={href('/dashboard/changes')}>
              {t('openChanges')}
            </Link>
          </Notice>
        )}
        <div>
          <MembersTable view={view} />
        </div>
      </div>
      {view.manages ? <Invitations invitations={view.invitations} /> : null}
    </PageFrame>
  );
}

function MembersTable({ view }: { view: MembersView }) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation('common');
  const columns: Column<MemberRow>[] = [
    {
      key: 'name',
      header: t('columnName'),
      sortable: true,
      cell: (row) => (
        <span className="flex items-center gap-3">
          <Avatar name={row.name} picture={row.picture} />
          <span>
            <bdi>{row.name}</bdi>
            {row.userId === view.me ? <span className="font-normal text-muted"> ({t('you')})</span> : null}
            {row.provisioned ? <span className="block text-sm font-normal text-muted">{t('provisioned')}</span> : null}
          </span>
        </span>
      ),
    },
    { key: 'email', header: t('columnEmail'), sortable: true, cell: (row) => <bdi>{row.email}</bdi> },
    { key: 'roles', header: t('columnRoles'), cell: (row) => <Roles of={row} /> },
    { key: 'since', header: t('columnSince'), sortable: true, minor: true, cell: (row) => <RelativeTime at={row.since} /> },
  ];
  if (view.manages) {
    columns.push({
      key: 'actions',
      header: t('columnActions'),
      align: 'end',
      cell: (row) => (
        <span className="inline-flex gap-4 whitespace-nowrap">
          <Link
            to={href('/dashboard/admin/members/:user', { user: row.userId })}
            aria-label={t('editOf', { name: row.name })}
            className="text-link inline-block py-1"
          >
            {t('edit')}
          </Link>
          <Link
            to={href('/dashboard/admin/members/:user/remove', { user: row.userId })}
            aria-label={t('removeOf', { name: row.name })}
            className="text-link inline-block py-1"
          >
            {t('remove')}
          </Link>
        </span>
      ),
    });
  }
  return (
    <>
      <ListSearch url={view.list.url} rows={view.members.length} label={t('search')} submit={common('list.search')} />
      <FacetLinks
        url={view.list.url}
        counts={view.list.counts}
        words={{ role: { label: t('columnRoles'), of: (value) => t(`role.${value as Role}`) } }}
      />
      <ListTable list={view.list} caption={t('tableCaption')} columns={columns} rows={view.members} rowKey={(row) => row.userId} />
    </>
  );
}

/** The roles, and until when somebody has them. */
function Roles({ of: { roles, until } }: { of: { roles: readonly Role[]; until: string | null } }) {
  const { t } = useTranslation('members');
  const { date } = useFormats();
  return (
    <>
      <RoleWords roles={roles} />
      {until === null ? null : <span className="mt-1 block text-sm text-muted">{t('until', { date: date(lastDay(until)) })}</span>}
    </>
  );
}

function Invitations({ invitations }: { invitations: InvitationRow[] }) {
  const { t } = useTranslation('members');
  const columns: Column<InvitationRow>[] = [
    { key: 'email', header: t('columnEmail'), cell: (row) => <bdi>{row.email}</bdi> },
    { key: 'roles', header: t('columnRoles'), cell: (row) => <Roles of={row} /> },
    { key: 'state', header: t('columnStatus'), cell: (row) => t(`state.${row.state}`) },
    { key: 'sent', header: t('columnSent'), cell: (row) => <RelativeTime at={row.sentAt} /> },
    { key: 'expires', header: t('columnExpires'), cell: (row) => <RelativeTime at={row.expiresAt} /> },
    { key: 'actions', header: t('columnActions'), align: 'end', cell: (row) => (row.state === 'open' ? <Withdraw row={row} /> : null) },
  ];
  return (
    <Section title={t('invitationsTitle')}>
      <DataTable
        caption={t('invitationsCaption')}
        columns={columns}
        rows={invitations}
        rowKey={(row) => row.id}
        empty={<EmptyState title={t('noInvitations')} />}
      />
    </Section>
  );
}

function Withdraw({ row }: { row: InvitationRow }) {
  const { t } = useTranslation('members');
  return (
    <Form method="post">
      <WorkspaceInput />
      <input type="hidden" name="invitation" value={row.id} />
      <Button size="small" variant="quiet" aria-label={t('withdrawOf', { email: row.email })}>
        {t('withdraw')}
      </Button>
    </Form>
  );
}
