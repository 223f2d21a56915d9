import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** The workflows and agents that would break if it ended. */
export function ConnectionUsers({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  return (
    <Section title={t('page.usedBy')}>
      {connection.usedBy.length === 0 ? (
        <EmptyPart
          title={t('page.usedByNone')}
          action={
            <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
              {t('page.toWorkflows')}
            </Link>
          }
        />
      ) : (
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {connection.usedBy.map((workflow) => (
            <li key={workflow.id}>
              <Link to={href('/dashboard/workflows/:workflow', { workflow: workflow.id })} className="text-link">
                <bdi>{workflow.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The latest calls of an agent. */
export function ConnectionCalls({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (connection.calls === null) return null;
  return (
    <Section title={t('a2a.calls')}>
      <DataTable
        caption={t('a2a.calls')}
        rows={connection.calls}
        rowKey={(call) => `${call.run}/${call.path}`}
        columns={[
          {
            key: 'step',
            header: t('a2a.step'),
            cell: (call) => (
              <Link to={href('/dashboard/runs/:run', { run: call.run })} className="text-link">
                <bdi>{call.name}</bdi>
              </Link>
            ),
          },
          { key: 'status', header: t('columns.status'), cell: (call) => <StatusWord status={call.status} /> },
          { key: 'at', header: t('a2a.started'), cell: (call) => <RelativeTime at={call.at} /> },
        ]}
        empty={
          <EmptyPart
            title={t('a2a.noCalls')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('page.toWorkflows')}
              </Link>
            }
          />
        }
      />
    </Section>
  );
}
