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
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { Monitoring, Troubles } from '#app/features/admin/load-monitoring.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** The present state of the machinery, and its recent failures. */
export function MonitoringPage({ view }: { view: Monitoring }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (
    <PageFrame
      title={t('area.monitoring')}
      description={t('areaBody.monitoring')}
      breadcrumbs={useAdminCrumbs()}
      actions={<ButtonLink to={href('/dashboard/admin/monitoring')}>{t('refresh')}</ButtonLink>}
    >
      <Section title={t('monitoring.queue')} description={t('monitoring.queueText')}>
        <DataTable
          caption={t('monitoring.queue')}
          rows={view.queue}
          rowKey={(row) => row.status}
          empty={null}
          columns={[
            { key: 'status', header: t('monitoring.status'), cell: (row) => <StatusWord status={row.status} /> },
            { key: 'count', header: t('monitoring.runs'), align: 'end', cell: (row) => formats.number(row.count) },
            {
              key: 'oldest',
              header: t('monitoring.oldest'),
              align: 'end',
              cell: (row) => (row.oldest === null ? t('none') : <RelativeTime at={row.oldest} />),
            },
          ]}
        />
      </Section>
      <Section title={t('monitoring.workers')} description={t('monitoring.workersText')}>
        <DataTable
          caption={t('monitoring.workers')}
          rows={view.workers}
          rowKey={(row) => row.id}
          empty={<EmptyState title={t('monitoring.noWorkers')} description={t('monitoring.noWorkersText')} />}
          columns={[
            {
              key: 'worker',
              header: t('monitoring.worker'),
              cell: (row) => (
                <code dir="ltr" className="font-mono text-sm">
                  {row.id}
                </code>
              ),
            },
            { key: 'runs', header: t('monitoring.runs'), align: 'end', cell: (row) => formats.number(row.runs) },
            {
              key: 'seen',
              header: t('monitoring.seen'),
              align: 'end',
              cell: (row) => (row.seen === null ? t('none') : <RelativeTime at={row.seen} />),
            },
          ]}
        />
      </Section>
      <DeferredPanel data={view.troubles}>{(troubles) => <TroubleLists troubles={troubles} />}</DeferredPanel>
    </PageFrame>
  );
}

function TroubleLists({ troubles }: { troubles: Troubles }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (
    <>
      <Section title={t('monitoring.errors')} description={t('monitoring.errorsText')}>
        <DataTable
          caption={t('monitoring.errors')}
          rows={troubles.errors}
          rowKey={(row) => row.id}
          empty={<EmptyState title={t('monitoring.noErrors')} description={t('monitoring.noErrorsText')} />}
          columns={[
            {
              key: 'workflow',
              header: t('monitoring.workflow'),
              cell: (row) => (
                <Link to={href('/dashboard/runs/:run', { run: row.id })} className="text-link">
                  <bdi>{row.workflow}</bdi>
                </Link>
              ),
            },
            {
              key: 'reason',
              header: t('monitoring.reason'),
              cell: (row) => (
                <span className="block min-w-64">
                  <ExplanationText explanation={row.reason} />
                </span>
              ),
            },
            { key: 'at', header: t('monitoring.at'), align: 'end', cell: (row) => <RelativeTime at={row.at} /> },
          ]}
        />
      </Section>
      <Section
        title={t('monitoring.deliveries')}
        description={t('monitoring.deliveriesText')}
        actions={<ButtonLink to={href('/dashboard/notifications/deliveries')}>{t('monitoring.allDeliveries')}</ButtonLink>}
      >
        <DataTable
          caption={t('monitoring.deliveries')}
          rows={troubles.deliveries}
          rowKey={(row) => row.id}
          empty={<EmptyState title={t('monitoring.noDeliveries')} description={t('monitoring.noDeliveriesText')} />}
          columns={[
            { key: 'kind', header: t('monitoring.kind'), cell: (row) => t(`monitoring.kindOf.${row.kind}`) },
            { key: 'status', header: t('monitoring.status'), cell: (row) => <StatusWord status={row.failed ? 'failed' : 'pending'} /> },
            { key: 'attempts', header: t('monitoring.attempts'), align: 'end', cell: (row) => formats.number(row.attempts) },
            { key: 'error', header: t('monitoring.answer'), cell: (row) => <bdi className="break-words">{row.error}</bdi> },
            { key: 'at', header: t('monitoring.at'), align: 'end', cell: (row) => <RelativeTime at={row.at} /> },
          ]}
        />
      </Section>
    </>
  );
}
