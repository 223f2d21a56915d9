import { useTranslation } from 'react-i18next';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { GroupRow, PersonRow, RefusalRow } from '#app/features/provisioning/load-provisioning.server.ts';

/** The people of the directory that changed last. */
export function PeopleTable({ people }: { people: readonly PersonRow[] }) {
  const { t } = useTranslation('provisioning');
  return (
    <DataTable
      caption={t('people')}
      rows={people}
      rowKey={(row) => row.id}
      empty={<EmptyPart title={t('noPeople')} description={t('noPeopleText')} />}
      columns={[
        { key: 'name', header: t('name'), cell: (row) => <bdi>{row.name}</bdi> },
        { key: 'userName', header: t('userName'), cell: (row) => <bdi>{row.userName}</bdi> },
        { key: 'email', header: t('email'), cell: (row) => <bdi>{row.email}</bdi> },
        { key: 'membership', header: t('membership'), cell: (row) => t(row.membership) },
        { key: 'changed', header: t('changed'), align: 'end', cell: (row) => <RelativeTime at={row.changedAt} /> },
      ]}
    />
  );
}

/** Groups, those that give roles first. */
export function GroupsTable({ groups }: { groups: readonly GroupRow[] }) {
  const { t } = useTranslation('provisioning');
  const { t: members } = useTranslation('members');
  const formats = useFormats();
  return (
    <DataTable
      caption={t('groups')}
      rows={groups}
      rowKey={(row) => row.id}
      empty={<EmptyPart title={t('noGroups')} description={t('noGroupsText')} />}
      columns={[
        { key: 'name', header: t('name'), cell: (row) => <bdi>{row.name}</bdi> },
        { key: 'members', header: t('members'), align: 'end', cell: (row) => formats.number(row.people) },
        {
          key: 'roles',
          header: t('roles'),
          cell: (row) =>
            row.roles.length === 0 ? (
              <span className="text-muted">{t('noRoles')}</span>
            ) : (
              formats.list(row.roles.map((role) => members(`role.${role}`)))
            ),
        },
      ]}
    />
  );
}

/** Calls that were refused, the newest first. */
export function RefusalsTable({ refusals }: { refusals: readonly RefusalRow[] }) {
  const { t } = useTranslation('provisioning');
  return (
    <DataTable
      caption={t('refusals')}
      rows={refusals}
      rowKey={(row) => row.id}
      empty={<EmptyPart title={t('noRefusals')} />}
      columns={[
        { key: 'when', header: t('when'), cell: (row) => <RelativeTime at={row.at} /> },
        {
          key: 'call',
          header: t('call'),
          cell: (row) => (
            <code dir="ltr" className="font-mono text-sm wrap-anywhere">
              {row.method} {row.path}
            </code>
          ),
        },
        {
          key: 'reason',
          header: t('reason'),
          cell: (row) => (
            <span lang="en" dir="ltr" className="inline-block text-start">
              {row.status}: {row.detail}
            </span>
          ),
        },
      ]}
    />
  );
}
