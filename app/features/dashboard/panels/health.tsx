import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Health } from '#app/domain/people/health.ts';
import CircleAlert from '~icons/circle-alert';
import CircleCheck from '~icons/circle-check';
import TriangleAlert from '~icons/triangle-alert';

const LOOKS = {
  healthy: { Icon: CircleCheck, tone: 'text-ok-ink', word: 'health.healthy' },
  attention: { Icon: TriangleAlert, tone: 'text-attention-ink', word: 'health.attention' },
  fault: { Icon: CircleAlert, tone: 'text-danger-ink', word: 'health.fault' },
} as const;

export function HealthPanel({ health }: { health: Health }) {
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
