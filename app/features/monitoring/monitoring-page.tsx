import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WindowForm } from '#app/components/data/window-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { IDLE_AFTER_MS } from '#app/domain/connections/agent-presence.ts';
import type { LoadedMonitoring } from '#app/features/monitoring/load-monitoring.server.ts';

/** The state of every agent and its work in a window. */
export function MonitoringPage({ agents, url, next, window, mayCheck, mayCheckAuthored }: LoadedMonitoring) {
  const { t } = useTranslation('monitoring');
  const named = useNamed();
  const formats = useFormats();
  const time = (value: number | null) => (value === null ? '–' : formats.duration(value));
  return (
    <PageFrame
      title={t('title')}
      description={t('description', { time: formats.duration(IDLE_AFTER_MS) })}
      breadcrumbs={[{ label: t('agents'), to: href('/dashboard/agents') }]}
    >
      <WindowForm path={href('/dashboard/agents/monitoring')} window={window} />
      <DataTable
        caption={t('title')}
        rows={agents}
        rowKey={(agent) => agent.id}
        empty={
          <EmptyState
            title={t('empty')}
            description={t('emptyText')}
            action={<ButtonLink to={href('/dashboard/agents')}>{t('agents')}</ButtonLink>}
          />
        }
        columns={[
          {
            key: 'name',
            header: t('agent'),
            cell: (agent) => (
              <Link className="text-link" to={agent.path}>
                <bdi>{agent.name}</bdi>
              </Link>
            ),
          },
          { key: 'presence', header: t('presence'), cell: (agent) => <StatusWord status={agent.presence} /> },
          { key: 'calls', header: t('calls'), align: 'end', cell: (agent) => formats.number(agent.calls) },
          { key: 'errors', header: t('failures'), align: 'end', cell: (agent) => formats.number(agent.errors) },
          { key: 'median', header: t('median'), align: 'end', cell: (agent) => time(agent.medianMs) },
          { key: 'p95', header: t('p95'), align: 'end', cell: (agent) => time(agent.p95Ms) },
          {
            key: 'last',
            header: t('lastRun'),
            cell: (agent) =>
              agent.lastRun === null ? (
                '–'
              ) : (
                <Link className="text-link" to={href('/dashboard/runs/:run', { run: agent.lastRun.id })}>
                  <RelativeTime at={agent.lastRun.at} />
                </Link>
              ),
          },
          {
            key: 'check',
            header: t('lastCheck'),
            cell: (agent) => (agent.lastCheckAt === null ? '–' : <RelativeTime at={agent.lastCheckAt} />),
          },
          ...(mayCheck
            ? [
                {
                  key: 'actions',
                  align: 'end' as const,
                  header: t('actions'),
                  cell: (agent: LoadedMonitoring['agents'][number]) =>
                    agent.kind === 'authored' && !mayCheckAuthored ? (
                      '–'
                    ) : (
                      <CommandForm
                        action={
                          agent.kind === 'authored'
                            ? href('/dashboard/agents/authored/:agent', { agent: agent.id })
                            : href('/dashboard/agents/:connection', { connection: agent.id })
                        }
                        hidden={{ intent: 'check' }}
                      >
                        <Button size="small" aria-label={named(t('check'), agent.name)}>
                          {t('check')}
                        </Button>
                      </CommandForm>
                    ),
                },
              ]
            : []),
        ]}
      />
      <KeyPaging url={url} next={next} />
    </PageFrame>
  );
}
