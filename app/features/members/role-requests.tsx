import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { RoleRequestRow } from '#app/features/members/load-members.server.ts';
import { RoleWords } from '#app/features/members/role-words.tsx';

/** Roles that an admin wants to give and that wait for a second person. */
export function RoleRequests({ requests }: { requests: RoleRequestRow[] }) {
  const { t } = useTranslation('members');
  if (requests.length === 0) return null;
  const columns: Column<RoleRequestRow>[] = [
    { key: 'name', header: t('columnName'), cell: (row) => <bdi>{row.name}</bdi> },
    { key: 'roles', header: t('requests.roles'), cell: (row) => <RoleWords roles={row.roles} /> },
    { key: 'by', header: t('requests.by'), cell: (row) => <bdi>{row.requestedBy}</bdi> },
    { key: 'at', header: t('requests.at'), cell: (row) => <RelativeTime at={row.requestedAt} /> },
    { key: 'actions', header: t('columnActions'), align: 'end', cell: (row) => <Answers row={row} /> },
  ];
  return (
    <Section title={t('requests.title')} description={t('requests.body')}>
      <DataTable caption={t('requests.caption')} columns={columns} rows={requests} rowKey={(row) => row.id} empty={null} />
    </Section>
  );
}

function Answers({ row }: { row: RoleRequestRow }) {
  const { t } = useTranslation('members');
  const { name } = row;
  if (row.mine)
    return (
      <CommandForm hidden={{ request: row.id, outcome: 'withdrawn' }}>
        <Button size="small" variant="quiet" aria-label={t('requests.withdrawOf', { name })}>
          {t('requests.withdraw')}
        </Button>
      </CommandForm>
    );
  if (!row.decidable) return null;
  return (
    <span className="inline-flex gap-2">
      <CommandForm hidden={{ request: row.id, outcome: 'granted' }}>
        <Button size="small" aria-label={t('requests.grantOf', { name })}>
          {t('requests.grant')}
        </Button>
      </CommandForm>
      <CommandForm hidden={{ request: row.id, outcome: 'refused' }}>
        <Button size="small" variant="danger" aria-label={t('requests.refuseOf', { name })}>
          {t('requests.refuse')}
        </Button>
      </CommandForm>
    </span>
  );
}
