import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { BarChart } from '#app/components/chart/bar-chart.tsx';
import { SeriesChart } from '#app/components/chart/series-chart.tsx';
import { DataTable } from '#app/components/data/data-table.tsx';
import { CostFigures } from '#app/components/data/figures/cost-figures.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { useSeriesPoints } from '#app/components/data/figures/series-points.ts';
import { LookedInto } from '#app/components/data/looked-into.tsx';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { DeferredPanel } from '#app/components/page/panel.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { AnalyticsFrame, CsvLink } from '#app/features/analytics/analytics-frame.tsx';
import type { AdvancedBelow, LoadedAdvancedAnalytics } from '#app/features/analytics/load-analytics.server.ts';

export function AdvancedAnalytics({ window, seesAll, unit, percentiles, below }: LoadedAdvancedAnalytics) {
  const { t } = useTranslation('analytics');
  return (
    <AnalyticsFrame
      title={t('advanced.title')}
      description={t('advanced.description')}
      path={href('/dashboard/analytics/advanced')}
      window={window}
      seesAll={seesAll}
    >
      <div>
        {percentiles.now === null ? null : <Percentiles percentiles={percentiles} />}
        <DeferredPanel data={below}>
          {(loaded) =>
            percentiles.now === null && loaded.steps.length === 0 ? (
              <EmptyState
                title={t('empty')}
                description={t('emptyText')}
                action={<ButtonLink to={href('/dashboard/workflows')}>{t('toWorkflows')}</ButtonLink>}
              />
            ) : (
              <>
                {percentiles.now === null ? <Percentiles percentiles={percentiles} /> : null}
                <LookedInto part={loaded.part} />
                <ResponseTimes {...loaded} unit={unit} window={window} />
                <Cost {...loaded} unit={unit} window={window} />
                <Causes {...loaded} window={window} />
              </>
            )
          }
        </DeferredPanel>
      </div>
    </AnalyticsFrame>
  );
}

type Shown = AdvancedBelow & Pick<LoadedAdvancedAnalytics, 'unit' | 'window'>;

function Percentiles({ percentiles: { now, before } }: Pick<LoadedAdvancedAnalytics, 'percentiles'>) {
  const { t } = useTranslation('analytics');
  const { t: figure } = useTranslation('figures');
  const formats = useFormats();
  return (
    <Section title={t('percentiles.title')} description={t('percentiles.description')}>
      <FigureList
        label={t('percentiles.title')}
        items={(['p50', 'p95', 'p99'] as const).map((name) => ({
          term: t(`percentiles.${name}`),
          definition: t(`percentiles.${name}Text`),
          value: now === null ? <span className="text-lg font-normal text-muted">{figure('noRuns')}</span> : formats.duration(now[name]),
          change:
            now === null || before === null
              ? undefined
              : {
                  text: figure('before', { value: formats.duration(before[name]) }),
                  direction:
                    now[name] === before[name] ? ('same' as const) : now[name] > before[name] ? ('up' as const) : ('down' as const),
                },
        }))}
      />
    </Section>
  );
}

function ResponseTimes({ series, unit, steps, window }: Shown) {
  const { t } = useTranslation('analytics');
  const { t: figure } = useTranslation('figures');
  const formats = useFormats();
  const points = useSeriesPoints(
    series.map((point) => point.at),
    unit,
  );
  return (
    <Section title={t('response.title')} actions={<CsvLink table="time" window={window} of={t('response.title')} />}>
      <div className="grid gap-6 lg:grid-cols-2">
        <SeriesChart
          kind="line"
          title={figure('metric.responseTime.term')}
          summary={t('response.summary')}
          pointHeader={unit === 'hour' ? t('time.hour') : t('time.day')}
          points={points}
          format={formats.duration}
          series={[
            { key: 'response', label: figure('metric.responseTime.term'), tone: 'accent', values: series.map((point) => point.responseMs) },
          ]}
        />
        <BarChart
          title={t('response.slowest')}
          summary={t('response.slowestText')}
          labelHeader={t('columns.step')}
          valueHeader={t('columns.p95')}
          format={formats.duration}
          items={steps.slice(0, 8).map((step) => ({
            key: `${step.workflowId}/${step.path}`,
            label: stripBidiControls(`${step.workflow} · ${step.name}`),
            value: step.p95Ms,
            to: href('/dashboard/workflows/:workflow', { workflow: step.workflowId }),
          }))}
        />
      </div>
    </Section>
  );
}

function Cost({ cost, models, series, unit, window }: Shown) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const points = useSeriesPoints(
    series.map((point) => point.at),
    unit,
  );
  return (
    <Section
      title={t('cost.title')}
      description={t('cost.description')}
      actions={models.length === 0 ? null : <CsvLink table="models" window={window} of={t('cost.title')} />}
    >
      <CostFigures now={cost.now} before={cost.before} />
      {models.length === 0 ? (
        <div className="mt-4">
          <EmptyPart
            title={t('cost.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('toWorkflows')}
              </Link>
            }
          />
        </div>
      ) : (
        <div className="mt-6 grid gap-6">
          <SeriesChart
            kind="line"
            title={unit === 'hour' ? t('cost.perHour') : t('cost.perDay')}
            summary={t('cost.summary')}
            pointHeader={unit === 'hour' ? t('time.hour') : t('time.day')}
            points={points}
            format={formats.money}
            series={[{ key: 'cost', label: t('columns.cost'), tone: 'accent', values: series.map((point) => point.costMicros) }]}
          />
          <DataTable
            caption={t('cost.byModel')}
            rows={models}
            rowKey={(row) => `${row.connectionId}/${row.id}`}
            empty={null}
            columns={[
              {
                key: 'name',
                header: t('columns.model'),
                cell: (row) => (
                  <>
                    {row.connectionId === null || row.connection === null ? (
                      <bdi>{row.name}</bdi>
                    ) : (
                      <Link className="text-link" to={href('/dashboard/llm-hub/:connection', { connection: row.connectionId })}>
                        <bdi>{row.name}</bdi>
                      </Link>
                    )}
                    {row.connection === null ? null : <bdi className="block font-normal text-muted">{row.connection}</bdi>}
                  </>
                ),
              },
              { key: 'calls', header: t('columns.calls'), align: 'end', cell: (row) => formats.number(row.calls) },
              { key: 'in', header: t('columns.tokensIn'), align: 'end', cell: (row) => formats.number(row.tokensIn) },
              { key: 'out', header: t('columns.tokensOut'), align: 'end', cell: (row) => formats.number(row.tokensOut) },
              {
                key: 'cost',
                header: t('columns.cost'),
                align: 'end',
                cell: (row) => (row.unpriced === row.calls ? t('cost.noPrice') : formats.money(row.costMicros)),
              },
            ]}
          />
        </div>
      )}
    </Section>
  );
}

function Causes({ causes, window }: Omit<Shown, 'unit'>) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (
    <Section
      title={t('causes.title')}
      description={t('causes.description')}
      actions={causes.length === 0 ? null : <CsvLink table="errors" window={window} of={t('causes.title')} />}
    >
      <DataTable
        caption={t('causes.title')}
        rows={causes}
        rowKey={(row) => `${row.key}/${row.workflowId}/${row.step}`}
        empty={
          <EmptyPart
            title={t('causes.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          { key: 'cause', header: t('columns.cause'), cell: (row) => <ExplanationText explanation={row.latest} /> },
          {
            key: 'step',
            header: t('columns.step'),
            cell: (row) => (
              <>
                <bdi>{row.step}</bdi>
                <Link className="text-link block" to={href('/dashboard/workflows/:workflow', { workflow: row.workflowId })}>
                  <bdi>{row.workflow}</bdi>
                </Link>
              </>
            ),
          },
          { key: 'steps', header: t('columns.failedSteps'), align: 'end', cell: (row) => formats.number(row.steps) },
          { key: 'runs', header: t('columns.runs'), align: 'end', cell: (row) => formats.number(row.runs) },
          {
            key: 'last',
            header: t('columns.last'),
            cell: (row) => (
              <Link className="text-link whitespace-nowrap" to={href('/dashboard/runs/:run', { run: row.lastRun })}>
                {t('columns.openRun')}
              </Link>
            ),
          },
        ]}
      />
    </Section>
  );
}
