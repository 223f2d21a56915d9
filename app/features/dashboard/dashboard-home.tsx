import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '#app/components/data-table.tsx';
import { EmptyState } from '#app/components/empty-state.tsx';
import { PageFrame } from '#app/components/page-frame.tsx';
import { DeferredPanel, Panel } from '#app/components/panel.tsx';
import { Section } from '#app/components/section.tsx';
import { StatusWord } from '#app/components/status-word.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { When } from '#app/components/when.tsx';
import type { DashboardHomeData } from '#app/features/dashboard/load-dashboard-home.server.ts';

/** The first screen after signing in: what waits for a decision, what has run, and the first steps while they are open. */
export function DashboardHome({ home }: { home: DashboardHomeData }) {
  const { t } = useTranslation('dashboard');
  const started = Object.values(home.steps).every(Boolean);
  return (
    <PageFrame
      title={t('title')}
      description={t('welcome', { name: home.name })}
      actions={
        home.builds ? (
          <ButtonLink to="/dashboard/workflows/new" variant="primary">
            {t('newWorkflow')}
          </ButtonLink>
        ) : null
      }
    >
      {started ? null : <FirstSteps home={home} />}
      <Section
        title={t('approvals.title')}
        actions={
          <Link to="/dashboard/approvals" className="text-link text-sm">
            {t('approvals.all')}
          </Link>
        }
      >
        <Panel>
          <DataTable
            caption={t('approvals.title')}
            rows={home.approvals}
            rowKey={(approval) => approval.id}
            columns={[
              {
                key: 'title',
                header: t('approvals.what'),
                cell: (approval) => (
                  <Link to={`/dashboard/approvals/${approval.id}`} className="text-link">
                    {approval.title}
                  </Link>
                ),
              },
              { key: 'risk', header: t('approvals.risk'), cell: (approval) => <StatusWord status={approval.risk} /> },
              { key: 'asked', header: t('approvals.asked'), cell: (approval) => <When at={approval.createdAt} /> },
              { key: 'due', header: t('approvals.due'), cell: (approval) => <When at={approval.dueAt} /> },
            ]}
            empty={
              <EmptyState
                title={t('approvals.empty')}
                description={home.decides ? t('approvals.emptyDecider') : t('approvals.emptyOther')}
              />
            }
          />
        </Panel>
      </Section>
      <Section
        title={t('runs.title')}
        actions={
          <Link to="/dashboard/runs" className="text-link text-sm">
            {t('runs.all')}
          </Link>
        }
      >
        <DeferredPanel data={home.runs}>{(runs) => <RecentRuns runs={runs} />}</DeferredPanel>
      </Section>
    </PageFrame>
  );
}

type RecentRun = Extract<Awaited<DashboardHomeData['runs']>, { ok: true }>['value'][number];

function RecentRuns({ runs }: { runs: readonly RecentRun[] }) {
  const { t } = useTranslation('dashboard');
  return (
    <DataTable
      caption={t('runs.title')}
      rows={runs}
      rowKey={(run) => run.id}
      columns={[
        {
          key: 'workflow',
          header: t('runs.workflow'),
          cell: (run) => (
            <Link to={`/dashboard/runs/${run.id}`} className="text-link">
              {run.workflow}
            </Link>
          ),
        },
        { key: 'status', header: t('runs.status'), cell: (run) => <StatusWord status={run.status} /> },
        { key: 'mode', header: t('runs.mode'), cell: (run) => (run.mode === 'test' ? t('runs.test') : t('runs.live')) },
        { key: 'started', header: t('runs.started'), cell: (run) => <When at={run.createdAt} />, align: 'end' },
      ]}
      empty={
        <EmptyState
          title={t('runs.empty')}
          description={t('runs.emptyText')}
          action={<ButtonLink to="/dashboard/workflows">{t('runs.toWorkflows')}</ButtonLink>}
        />
      }
    />
  );
}

function FirstSteps({ home }: { home: DashboardHomeData }) {
  const { t } = useTranslation('dashboard');
  const steps = [
    {
      done: home.steps.workflow,
      title: t('steps.workflow'),
      text: t('steps.workflowText'),
      to: '/dashboard/workflows/new',
      shown: home.builds,
    },
    { done: home.steps.published, title: t('steps.publish'), text: t('steps.publishText'), to: '/dashboard/workflows', shown: home.builds },
    {
      done: home.steps.colleague,
      title: t('steps.colleague'),
      text: t('steps.colleagueText'),
      to: '/dashboard/admin/members',
      shown: home.managesMembers,
    },
    { done: home.steps.run, title: t('steps.run'), text: t('steps.runText'), to: '/dashboard/workflows', shown: true },
  ].filter((step) => step.shown);
  return (
    <Section title={t('steps.title')} description={t('steps.text')}>
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        {steps.map((step) => (
          <li key={step.title} className="flex gap-3 bg-surface p-4 sm:last:odd:col-span-2">
            {step.done ? (
              <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ok-ink" />
            ) : (
              <Circle aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-edge" />
            )}
            <div>
              <p className="font-semibold">
                {step.done ? (
                  <>
                    {step.title} <span className="font-normal text-muted">{t('steps.done')}</span>
                  </>
                ) : (
                  <Link to={step.to} className="text-link">
                    {step.title}
                  </Link>
                )}
              </p>
              <p className="mt-0.5 text-sm text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
