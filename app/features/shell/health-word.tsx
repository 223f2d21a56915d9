import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { Health, HealthFinding, HealthState } from '#app/domain/people/health.ts';
import CircleAlert from '~icons/circle-alert';
import CircleCheck from '~icons/circle-check';
import CircleHelp from '~icons/circle-question-mark';
import TriangleAlert from '~icons/triangle-alert';

export const HEALTH_LOOKS = {
  healthy: { Icon: CircleCheck, tone: 'text-ok-ink' },
  attention: { Icon: TriangleAlert, tone: 'text-attention-ink' },
  fault: { Icon: CircleAlert, tone: 'text-danger-ink' },
} as const satisfies Record<HealthState, { Icon: typeof CircleCheck; tone: string }>;

const FINDINGS = {
  log: 'health.finding.log',
  halt: 'health.finding.halt',
  queue: 'health.finding.queue',
  wait: 'health.finding.wait',
  checks: 'health.finding.checks',
  checkpoint: 'health.finding.checkpoint',
} as const satisfies Record<HealthFinding['about'], string>;

/** The words of a finding, or those for none. */
export function useHealthWords(): (health: Health | null) => string {
  const { t } = useTranslation('shell');
  return (health) => {
    if (health === null) return t('health.unknown');
    const [worst] = health.findings;
    return worst === undefined ? t('health.healthy') : t(FINDINGS[worst.about], { count: worst.count });
  };
}

/** At the foot of the sidebar: how the workspace does, since when one knows, and the way to the figures. */
export function HealthLink({ health, collapsed }: { health: Health | null; collapsed: boolean }) {
  const { t } = useTranslation('shell');
  const words = useHealthWords()(health);
  const { Icon, tone } = health === null ? { Icon: CircleHelp, tone: 'text-muted' } : HEALTH_LOOKS[health.state];
  return (
    <Link
      to={href('/dashboard/admin/health')}
      prefetch="intent"
      data-health={health?.state ?? 'unknown'}
      title={collapsed ? words : undefined}
      className={`flex min-h-9 items-center gap-3 rounded-md px-2 text-sm text-ink hover:bg-raised ${collapsed ? 'justify-center' : 'py-1'}`}
    >
      <Icon aria-hidden="true" className={`size-5 shrink-0 ${tone}`} />
      <span className={collapsed ? 'sr-only' : 'min-w-0'}>
        <span className="block leading-snug font-semibold">{words}</span>{' '}
        {health === null ? null : (
          <span className="block text-xs text-muted">
            {t('health.updated')} <RelativeTime at={health.figures.measuredAt} />
          </span>
        )}
      </span>
    </Link>
  );
}
