import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WaitingTasks } from '#app/components/data/waiting-tasks.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { WaitingChanges } from '#app/components/page/waiting-changes.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { DashboardHomeData } from '#app/features/dashboard/load-dashboard-home.server.ts';
import type { ChangedConnection, WaitingApproval } from '#app/features/dashboard/read/read-work.server.ts';

type Waiting = NonNullable<DashboardHomeData['waiting']>;

/** Things that only this person can do: decisions, forms, changed tools. */
export function WaitingForMe({ waiting, decides }: { waiting: Waiting; decides: boolean }) {
  const { t } = useTranslation('dashboard');
  const { approvals, changes, tasks, changed } = waiting;
  const nothing = [approvals, changes, tasks, changed].every((rows) => rows.length === 0);
  return (
    <Section
      title={t('waiting.title')}
      actions={
        <Link to={href('/dashboard/approvals')} className="text-link text-sm">
          {t('approvals.all')}
        </Link>
      }
    >
      {nothing ? (
        <EmptyPart
          title={t('waiting.empty')}
          description={decides ? t('waiting.emptyDecider') : t('waiting.emptyOther')}
          action={
            <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
              {t('runs.toWorkflows')}
            </Link>
          }
        />
      ) : (
        <div className="grid gap-4">
          {approvals.length === 0 ? null : <Approvals approvals={approvals} />}
          <WaitingTasks rows={tasks} />
          <WaitingChanges rows={changes} />
          {changed.length === 0 ? null : <Changed changed={changed} />}
        </div>
      )}
    </Section>
  );
}

function Approvals({ approvals }: { approvals: readonly WaitingApproval[] }) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  return (
    <DataTable
      caption={t('approvals.title')}
      rows={approvals}
      rowKey={(approval) => approval.id}
      empty={null}
      columns={[
        {
          key: 'title',
          header: t('approvals.what'),
          cell: (approval) => (
            <>
              <Link to={href('/dashboard/approvals/:approval', { approval: approval.id })} className="text-link">
                <bdi>{approval.title}</bdi>
              </Link>
              {approval.run === null ? null : <bdi className="block text-sm text-muted">{format.runName(approval.run)}</bdi>}
            </>
          ),
        },
        { key: 'risk', header: t('approvals.risk'), cell: (approval) => <StatusWord status={approval.risk} /> },
        { key: 'due', header: t('approvals.due'), cell: (approval) => <RelativeTime at={approval.dueAt} /> },
      ]}
    />
  );
}

function Changed({ changed }: { changed: readonly ChangedConnection[] }) {
  const { t } = useTranslation('dashboard');
  const named = useNamed();
  return (
    <DataTable
      caption={t('changed.title')}
      rows={changed}
      rowKey={(connection) => connection.id}
      empty={null}
      columns={[
        { key: 'name', header: t('changed.connection'), cell: (connection) => <bdi>{connection.name}</bdi> },
        {
          key: 'changed',
          header: t('changed.what'),
          cell: (connection) => (
            <>
              <StatusWord status="changed" /> <span className="text-muted">{t('changed.count', { count: connection.changed })}</span>
            </>
          ),
        },
        {
          key: 'actions',
          align: 'end',
          header: t('actions.title'),
          cell: (connection) => (
            <ButtonLink
              size="small"
              to={href(connection.kind === 'a2a' ? '/dashboard/agents/:connection' : '/dashboard/plugins/:connection', {
                connection: connection.id,
              })}
              aria-label={named(t('actions.viewDetails'), connection.name)}
            >
              {t('actions.viewDetails')}
            </ButtonLink>
          ),
        },
      ]}
    />
  );
}
