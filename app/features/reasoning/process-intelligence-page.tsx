import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { BarChart } from '#app/components/chart/bar-chart.tsx';
import { DataTable } from '#app/components/data/data-table.tsx';
import { CostFigures } from '#app/components/data/figures/cost-figures.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { WindowForm } from '#app/components/data/window-form.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { windowQuery } from '#app/domain/runs/time-window.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import type { LoadedProcessIntelligence } from '#app/features/reasoning/load-process.server.ts';
import { ReasoningLinks } from '#app/features/reasoning/reasoning-links.tsx';

const PATH = href('/dashboard/ai-orchestration/process-intelligence');
const DRAWN = 8;

/** Time by workflow and step. */
export function ProcessIntelligencePage({ steps, totals, workflows, workflow, window }: LoadedProcessIntelligence) {
  const { t } = useTranslation('reasoning');
  const keep: Record<string, string> = workflow === '' ? {} : { workflow };
  return (
    <PageFrame title={t('intelligence.title')} description={t('intelligence.description')}>
      <ReasoningLinks />
      <WindowForm path={PATH} window={window} keep={keep} />
      <Form method="get" action={PATH} key={workflow} className="mb-6 flex flex-wrap items-end gap-3">
        {Object.entries(windowQuery(window.choice)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="w-full sm:w-72">
          <FilterChoice
            id="intelligence-workflow"
            name="workflow"
            label={t('decisions.workflow')}
            value={workflow}
            all={t('decisions.anyWorkflow')}
            options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
        <Button>{t('decisions.apply')}</Button>
      </Form>
      {steps.length === 0 ? (
        <EmptyState
          title={t('intelligence.empty')}
          description={t('intelligence.emptyText')}
          action={<ButtonLink to={href('/dashboard/workflows')}>{t('recent.toWorkflows')}</ButtonLink>}
        />
      ) : (
        <>
          <div className="mb-6">
            <CostFigures now={totals.now} before={totals.before} time />
          </div>
          <StepCharts steps={steps} />
          <Section
            title={t('intelligence.steps')}
            description={t('intelligence.stepsText')}
            actions={
              <a
                href={`${href('/dashboard/analytics/table.csv')}?${new URLSearchParams({ table: 'steps', ...windowQuery(window.choice), ...keep })}`}
                download
                className={buttonClass('secondary', 'small')}
              >
                {t('intelligence.csv')}
              </a>
            }
          >
            <StepTable steps={steps} />
          </Section>
        </>
      )}
    </PageFrame>
  );
}

type Steps = LoadedProcessIntelligence['steps'];

/** The steps that took the most time, waited longest, and cost most. */
function StepCharts({ steps }: { steps: Steps }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const dear = top(steps, (step) => step.costMicros ?? 0);
  const nameOf = (step: Steps[number]) => stripBidiControls(`${step.workflow} · ${step.name}`);
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <BarChart
        title={t('intelligence.active')}
        summary={t('intelligence.activeText')}
        labelHeader={t('decision.step')}
        valueHeader={t('intelligence.active')}
        format={formats.duration}
        items={top(steps, (step) => step.activeMs).map((step) => ({
          key: `${step.workflowId}/${step.path}`,
          label: nameOf(step),
          value: step.activeMs,
          to: href('/dashboard/workflows/:workflow', { workflow: step.workflowId }),
        }))}
      />
      <BarChart
        title={t('intelligence.waiting')}
        summary={t('intelligence.waitingText')}
        labelHeader={t('decision.step')}
        valueHeader={t('intelligence.waiting')}
        format={formats.duration}
        tone="attention"
        items={top(steps, (step) => step.waitingMs).map((step) => ({
          key: `${step.workflowId}/${step.path}`,
          label: nameOf(step),
          value: step.waitingMs,
          to: href('/dashboard/workflows/:workflow', { workflow: step.workflowId }),
        }))}
      />
      {dear.length === 0 ? null : (
        <BarChart
          title={t('intelligence.cost')}
          summary={t('intelligence.costText')}
          labelHeader={t('decision.step')}
          valueHeader={t('intelligence.cost')}
          format={formats.money}
          tone="neutral"
          items={dear.map((step) => ({
            key: `${step.workflowId}/${step.path}`,
            label: nameOf(step),
            value: step.costMicros ?? 0,
            to: href('/dashboard/workflows/:workflow', { workflow: step.workflowId }),
          }))}
        />
      )}
    </div>
  );
}

function StepTable({ steps }: { steps: Steps }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  return (
    <DataTable
      caption={t('intelligence.steps')}
      rows={steps}
      rowKey={(step) => `${step.workflowId}/${step.path}`}
      empty={null}
      columns={[
        {
          key: 'step',
          header: t('decision.step'),
          cell: (step) => (
            <>
              <bdi>{step.name}</bdi>
              <span className="block text-muted">
                <Link className="text-link" to={href('/dashboard/workflows/:workflow', { workflow: step.workflowId })}>
                  <bdi>{step.workflow}</bdi>
                </Link>
              </span>
            </>
          ),
        },
        { key: 'count', header: t('intelligence.count'), align: 'end', cell: (step) => formats.number(step.count) },
        { key: 'median', header: t('intelligence.median'), align: 'end', cell: (step) => formats.duration(step.medianMs) },
        { key: 'p95', header: t('intelligence.p95'), align: 'end', cell: (step) => formats.duration(step.p95Ms) },
        { key: 'active', header: t('intelligence.active'), align: 'end', cell: (step) => formats.duration(step.activeMs) },
        {
          key: 'waiting',
          header: t('intelligence.waiting'),
          align: 'end',
          cell: (step) => (step.waitingMs === 0 ? '–' : formats.duration(step.waitingMs)),
        },
        {
          key: 'cost',
          header: t('intelligence.cost'),
          align: 'end',
          cell: (step) => (step.costMicros === null ? '–' : formats.money(step.costMicros)),
        },
        { key: 'errors', header: t('intelligence.errors'), align: 'end', cell: (step) => formats.number(step.errors) },
        { key: 'retried', header: t('intelligence.retried'), align: 'end', cell: (step) => formats.number(step.retried) },
      ]}
    />
  );
}

function top<Row>(rows: readonly Row[], value: (row: Row) => number): Row[] {
  return rows
    .filter((row) => value(row) > 0)
    .sort((a, b) => value(b) - value(a))
    .slice(0, DRAWN);
}
