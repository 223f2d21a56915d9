import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { RunFigures } from '#app/components/data/run-figures.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import type { DashboardBelow } from '#app/features/dashboard/load-dashboard-home.server.ts';
import CircleAlert from '~icons/circle-alert';
import CircleCheck from '~icons/circle-check';
import TriangleAlert from '~icons/triangle-alert';

/** Figures, health and the latest changes: for reading, after the tasks. */
export function BelowTheFold({ below }: { below: DashboardBelow }) {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <Section
        title={t('figures.title')}
        description={t('figures.text')}
        actions={
          <Link to={href('/dashboard/analytics')} className="text-link text-sm">
            {t('figures.all')}
          </Link>
        }
      >
        <RunFigures now={below.figures.now} before={below.figures.before} />
      </Section>
      <Health health={below.health} />
      <Changes changes={below.changes} />
    </>
  );
}

const LOOKS = {
  healthy: { Icon: CircleCheck, tone: 'text-ok-ink', word: 'health.healthy' },
  attention: { Icon: TriangleAlert, tone: 'text-attention-ink', word: 'health.attention' },
  fault: { Icon: CircleAlert, tone: 'text-danger-ink', word: 'health.fault' },
} as const;

function Health({ health }: Pick<DashboardBelow, 'health'>) {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const { Icon, tone, word } = LOOKS[health.state];
  return (
    <Section title={t('health.title')}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon aria-hidden="true" className={`size-5 shrink-0 ${tone}`} />
        <span className="font-semibold">{t(word)}</span>
        <span className="text-muted">
          {t('health.figures', {
            queued: formats.number(health.figures.queued),
            failed: formats.number(health.figures.failedChecks),
            connections: formats.number(health.figures.connections),
          })}
        </span>
        <Link to={href('/dashboard/admin/health')} className="text-link text-sm">
          {t('health.all')}
        </Link>
      </p>
    </Section>
  );
}

function Changes({ changes }: Pick<DashboardBelow, 'changes'>) {
  const { t, i18n } = useTranslation('dashboard');
  useTranslation('audit');
  const words = (action: string) =>
    runtimeText(i18n, 'audit', `actions.${action.replace(/[._-](\w)/g, (_, letter: string) => letter.toUpperCase())}`) ?? action;
  return (
    <Section
      title={t('changes.title')}
      description={changes.all ? undefined : t('changes.own')}
      actions={
        <Link to={href('/dashboard/audit')} className="text-link text-sm">
          {t('changes.allLink')}
        </Link>
      }
    >
      <DataTable
        caption={t('changes.title')}
        rows={changes.rows}
        rowKey={(change) => change.id}
        empty={<p className="text-muted">{t('changes.none')}</p>}
        columns={[
          {
            key: 'action',
            header: t('changes.action'),
            cell: (change) => (
              <Link to={href('/dashboard/audit/:event', { event: change.id })} className="text-link">
                {words(change.action)}
              </Link>
            ),
          },
          { key: 'resource', header: t('changes.resource'), cell: (change) => <bdi>{change.resource ?? '–'}</bdi> },
          { key: 'actor', header: t('changes.actor'), cell: (change) => <bdi>{change.actor ?? t('changes.byQuorate')}</bdi> },
          { key: 'at', header: t('changes.at'), align: 'end', cell: (change) => <RelativeTime at={change.at} /> },
        ]}
      />
    </Section>
  );
}
