import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { LookedInto } from '#app/components/data/looked-into.tsx';
import { WindowForm } from '#app/components/data/window-form.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { DeferredPanel } from '#app/components/page/panel.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { PeerTimes, Performance } from '#app/features/admin/load-performance.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** Latencies over a window: half, nineteen of twenty and ninety-nine of a hundred were at least this quick. */
export function PerformancePage({ view }: { view: Performance }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const { runs, wait } = view;
  const columns = (['p50', 'p95', 'p99'] as const).map((name) => ({
    key: name,
    header: t(`performance.${name}`),
    align: 'end' as const,
    cell: (row: Pick<PeerTimes, 'p50' | 'p95' | 'p99'>) => (
      <span className="whitespace-nowrap tabular-nums">{formats.duration(row[name])}</span>
    ),
  }));
  const whole = [
    ...(runs === null ? [] : [{ name: t('performance.run'), meaning: t('performance.runText'), ...runs }]),
    ...(wait === null ? [] : [{ name: t('performance.wait'), meaning: t('performance.waitText'), ...wait }]),
  ];
  return (
    <PageFrame title={t('area.performance')} description={t('performance.description')} breadcrumbs={useAdminCrumbs()}>
      <WindowForm path={href('/dashboard/admin/performance')} window={view.window} />
      <Section title={t('performance.runs')} description={t('performance.runsText')}>
        <DataTable
          caption={t('performance.runs')}
          rows={whole}
          rowKey={(row) => row.name}
          empty={
            <EmptyState
              title={t('performance.empty')}
              description={t('performance.emptyText')}
              action={<ButtonLink to={href('/dashboard/workflows')}>{t('performance.toWorkflows')}</ButtonLink>}
            />
          }
          columns={[
            {
              key: 'name',
              header: t('performance.what'),
              cell: (row) => (
                <>
                  {row.name}
                  <span className="block min-w-48 font-normal text-muted">{row.meaning}</span>
                </>
              ),
            },
            ...columns,
          ]}
        />
      </Section>
      <DeferredPanel data={view.below}>
        {({ part, peers, steps }) => (
          <>
            <LookedInto part={part} />
            {peers.length === 0 ? null : (
              <Section title={t('performance.peers')} description={t('performance.peersText')}>
                <DataTable
                  caption={t('performance.peers')}
                  rows={peers}
                  rowKey={(row) => row.name}
                  empty={null}
                  columns={[
                    { key: 'name', header: t('performance.connection'), cell: (row) => <bdi>{row.name}</bdi> },
                    { key: 'count', header: t('performance.calls'), align: 'end', cell: (row) => formats.number(row.count) },
                    ...columns,
                  ]}
                />
              </Section>
            )}
            {steps.length === 0 ? null : (
              <Section title={t('performance.steps')} description={t('performance.stepsText')}>
                <DataTable
                  caption={t('performance.steps')}
                  rows={steps}
                  rowKey={(row) => `${row.workflowId}/${row.path}`}
                  empty={null}
                  columns={[
                    { key: 'step', header: t('performance.step'), cell: (row) => <bdi>{row.name}</bdi> },
                    {
                      key: 'workflow',
                      header: t('monitoring.workflow'),
                      cell: (row) => (
                        <Link to={href('/dashboard/workflows/:workflow', { workflow: row.workflowId })} className="text-link">
                          <bdi>{row.workflow}</bdi>
                        </Link>
                      ),
                    },
                    { key: 'count', header: t('performance.times'), align: 'end', cell: (row) => formats.number(row.count) },
                    { key: 'p50', header: t('performance.p50'), align: 'end', cell: (row) => formats.duration(row.medianMs) },
                    { key: 'p95', header: t('performance.p95'), align: 'end', cell: (row) => formats.duration(row.p95Ms) },
                  ]}
                />
              </Section>
            )}
          </>
        )}
      </DeferredPanel>
    </PageFrame>
  );
}
