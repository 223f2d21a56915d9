import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { DeferredPanel } from '#app/components/page/panel.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { BelowTheFold } from '#app/features/dashboard/below-the-fold.tsx';
import { FirstDaySteps } from '#app/features/dashboard/first-day.tsx';
import type { DashboardHomeData } from '#app/features/dashboard/load-dashboard-home.server.ts';
import { WaitingForMe } from '#app/features/dashboard/waiting-for-me.tsx';

/** The first screen after signing in: what waits for me, what runs now, then how the workspace does. */
export function DashboardHome({ home }: { home: DashboardHomeData }) {
  const { t } = useTranslation('dashboard');
  return (
    <PageFrame
      title={t('title')}
      description={t('welcome', { name: home.name })}
      actions={
        home.builds ? (
          <ButtonLink to={href('/dashboard/workflows/new')} variant="primary">
            {t('newWorkflow')}
          </ButtonLink>
        ) : null
      }
    >
      <FirstDaySteps home={home} />
      <WaitingForMe home={home} />
      <Running running={home.running} />
      <DeferredPanel data={home.below}>{(below) => <BelowTheFold below={below} />}</DeferredPanel>
    </PageFrame>
  );
}

function Running({ running }: Pick<DashboardHomeData, 'running'>) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  return (
    <Section
      title={t('runs.title')}
      actions={
        <Link to={href('/dashboard/runs')} className="text-link text-sm">
          {t('runs.all')}
        </Link>
      }
    >
      <DataTable
        caption={t('runs.title')}
        rows={running}
        rowKey={(run) => run.id}
        columns={[
          {
            key: 'workflow',
            header: t('runs.workflow'),
            cell: (run) => (
              <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                <bdi>{format.runName(run)}</bdi>
              </Link>
            ),
          },
          { key: 'status', header: t('runs.status'), cell: (run) => <StatusWord status={run.status} /> },
          { key: 'mode', header: t('runs.mode'), cell: (run) => (run.mode === 'test' ? t('runs.test') : t('runs.live')) },
          { key: 'started', header: t('runs.started'), cell: (run) => <RelativeTime at={run.createdAt} />, align: 'end' },
        ]}
        empty={
          <EmptyState
            title={t('runs.empty')}
            description={t('runs.emptyText')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('runs.toWorkflows')}</ButtonLink>}
          />
        }
      />
    </Section>
  );
}
