import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { SeriesChart } from '#app/components/chart/series-chart.tsx';
import { DataTable } from '#app/components/data/data-table.tsx';
import { CostFigures } from '#app/components/data/figures/cost-figures.tsx';
import { RunFigures } from '#app/components/data/figures/run-figures.tsx';
import { useSeriesPoints } from '#app/components/data/figures/series-points.ts';
import { LookedInto } from '#app/components/data/looked-into.tsx';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { DeferredPanel } from '#app/components/page/panel.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ratio, successRate } from '#app/domain/runs/figures.ts';
import { AnalyticsFrame, CsvLink } from '#app/features/analytics/analytics-frame.tsx';
import type { BasicBelow, LoadedBasicAnalytics } from '#app/features/analytics/load-analytics.server.ts';

export function BasicAnalytics(loaded: LoadedBasicAnalytics) {
  const { t } = useTranslation('analytics');
  const { figures, window, seesAll, series } = loaded;
  return (
    <AnalyticsFrame
      title={t('basic.title')}
      description={t('basic.description')}
      path={href('/dashboard/analytics')}
      window={window}
      seesAll={seesAll}
    >
      <RunFigures now={figures.now} before={figures.before} />
      <Section
        title={t('time.title')}
        actions={figures.now.started === 0 ? null : <CsvLink table="time" window={window} of={t('time.title')} />}
      >
        {figures.now.started === 0 ? (
          <EmptyState
            title={t('empty')}
            description={t('emptyText')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('toWorkflows')}</ButtonLink>}
          />
        ) : (
          <Runs series={series} unit={loaded.unit} />
        )}
      </Section>
      {figures.now.started === 0 ? null : (
        <DeferredPanel data={loaded.below}>
          {(below) => (
            <>
              <LookedInto part={below.part} />
              <Section title={t('cost.title')} description={t('cost.description')}>
                <CostFigures now={below.cost.now} before={below.cost.before} />
              </Section>
              <Workflows {...below} window={window} />
              <Agents {...below} window={window} />
              <Steps {...below} window={window} />
            </>
          )}
        </DeferredPanel>
      )}
    </AnalyticsFrame>
  );
}

function Runs({ series, unit }: Pick<LoadedBasicAnalytics, 'series' | 'unit'>) {
  const { t } = useTranslation('analytics');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const points = useSeriesPoints(
    series.map((point) => point.at),
    unit,
  );
  return (
    <SeriesChart
      kind="stacked"
      title={unit === 'hour' ? t('time.perHour') : t('time.perDay')}
      summary={t('time.summary')}
      pointHeader={unit === 'hour' ? t('time.hour') : t('time.day')}
      points={points}
      format={formats.number}
      whole
      series={[
        { key: 'completed', label: common('status.completed'), tone: 'ok', values: series.map((point) => point.completed) },
        { key: 'failed', label: common('status.failed'), tone: 'danger', values: series.map((point) => point.failed) },
        {
          key: 'other',
          label: t('time.other'),
          tone: 'neutral',
          values: series.map((point) => point.started - point.completed - point.failed),
        },
      ]}
    />
  );
}

type Shown = BasicBelow & Pick<LoadedBasicAnalytics, 'window'>;

function Workflows({ workflows, window }: Shown) {
  const { t } = useTranslation('analytics');
  const { t: figure } = useTranslation('figures');
  const formats = useFormats();
  const rate = (value: number | null) => (value === null ? '–' : formats.percent(value));
  const time = (value: number | null) => (value === null ? '–' : formats.duration(value));
  return (
    <Section title={t('workflows.title')} actions={<CsvLink table="workflows" window={window} of={t('workflows.title')} />}>
      <DataTable
        caption={t('workflows.title')}
        rows={workflows}
        rowKey={(row) => row.id}
        empty={null}
        columns={[
          {
            key: 'name',
            header: t('columns.workflow'),
            cell: (row) => (
              <Link className="text-link" to={href('/dashboard/workflows/:workflow', { workflow: row.id })}>
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          { key: 'started', header: t('columns.executions'), align: 'end', cell: (row) => formats.number(row.started) },
          { key: 'completed', header: t('columns.completed'), align: 'end', cell: (row) => formats.number(row.completed) },
          { key: 'failed', header: t('columns.failed'), align: 'end', cell: (row) => formats.number(row.failed) },
          { key: 'rate', header: figure('metric.successRate.term'), align: 'end', cell: (row) => rate(successRate(row)) },
          { key: 'active', header: t('columns.averageActive'), align: 'end', cell: (row) => time(ratio(row.activeMs, row.completed)) },
          { key: 'waiting', header: t('columns.averageWaiting'), align: 'end', cell: (row) => time(ratio(row.waitingMs, row.completed)) },
          {
            key: 'cost',
            header: t('columns.cost'),
            align: 'end',
            cell: (row) => (row.costMicros === null ? '–' : formats.money(row.costMicros)),
          },
        ]}
      />
    </Section>
  );
}

function Agents({ agents, window }: Shown) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (
    <Section
      title={t('agents.title')}
      description={t('agents.description')}
      actions={agents.length === 0 ? null : <CsvLink table="agents" window={window} of={t('agents.title')} />}
    >
      <DataTable
        caption={t('agents.title')}
        rows={agents}
        rowKey={(row) => row.id ?? row.name}
        empty={
          <EmptyPart
            title={t('agents.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'name',
            header: t('columns.agent'),
            cell: (row) =>
              row.id === null ? (
                <bdi>{row.name}</bdi>
              ) : (
                <Link className="text-link" to={href('/dashboard/agents/:connection', { connection: row.id })}>
                  <bdi>{row.name}</bdi>
                </Link>
              ),
          },
          { key: 'calls', header: t('columns.calls'), align: 'end', cell: (row) => formats.number(row.calls) },
          { key: 'errors', header: t('columns.errors'), align: 'end', cell: (row) => formats.number(row.errors) },
          { key: 'median', header: t('columns.median'), align: 'end', cell: (row) => formats.duration(row.medianMs) },
          { key: 'p95', header: t('columns.p95'), align: 'end', cell: (row) => formats.duration(row.p95Ms) },
        ]}
      />
    </Section>
  );
}

function Steps({ steps, window }: Shown) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (
    <Section
      title={t('steps.title')}
      description={t('steps.description')}
      actions={<CsvLink table="steps" window={window} of={t('steps.title')} />}
    >
      <DataTable
        caption={t('steps.title')}
        rows={steps}
        rowKey={(row) => `${row.workflowId}/${row.path}`}
        empty={
          <EmptyPart
            title={t('steps.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'name',
            header: t('columns.step'),
            cell: (row) => (
              <>
                <bdi>{row.name}</bdi>
                <span className="block text-muted">
                  <bdi>{row.workflow}</bdi>
                </span>
              </>
            ),
          },
          { key: 'count', header: t('columns.executions'), align: 'end', cell: (row) => formats.number(row.count) },
          { key: 'errors', header: t('columns.errors'), align: 'end', cell: (row) => formats.number(row.errors) },
          { key: 'median', header: t('columns.median'), align: 'end', cell: (row) => formats.duration(row.medianMs) },
          { key: 'p95', header: t('columns.p95'), align: 'end', cell: (row) => formats.duration(row.p95Ms) },
          {
            key: 'waiting',
            header: t('columns.waiting'),
            align: 'end',
            cell: (row) => (row.waitingMs === 0 ? '–' : formats.duration(row.waitingMs)),
          },
          {
            key: 'cost',
            header: t('columns.cost'),
            align: 'end',
            cell: (row) => (row.costMicros === null ? '–' : formats.money(row.costMicros)),
          },
        ]}
      />
    </Section>
  );
}
