import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { HEALTH_LIMITS, type HealthState } from '#app/domain/people/health.ts';
import { HEALTH_LOOKS, useHealthWords } from '#app/features/shell/health-word.tsx';
import type { HealthView } from '#app/features/shell/load-health.server.ts';

const WORDS = { healthy: 'state.healthy', attention: 'state.attention', fault: 'state.fault' } as const satisfies Record<
  HealthState,
  string
>;

/** Every figure behind the word in the sidebar, with its meaning and its limit. */
export function HealthPage({ view }: { view: HealthView }) {
  const { t } = useTranslation('health');
  const words = useHealthWords()(view.health);
  const { Icon, tone } = HEALTH_LOOKS[view.health.state];
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      actions={<ButtonLink to={href('/dashboard/admin/health')}>{t('refresh')}</ButtonLink>}
    >
      <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1" data-health={view.health.state}>
        <Icon aria-hidden="true" className={`size-6 shrink-0 ${tone}`} />
        <span className="text-lg font-semibold">{words}</span>
        <span className="text-muted">
          {t('measured')} <RelativeTime at={view.health.figures.measuredAt} />
        </span>
      </p>
      <Figures view={view} />
      <p className="mt-6">
        <Link to={href('/dashboard/admin/halt')} className="text-link py-0.5">
          {view.mayHalt ? t('halt.toHalt') : t('halt.toState')}
        </Link>
      </p>
      {view.failing.length === 0 ? null : <Failing failing={view.failing} />}
    </PageFrame>
  );
}

function Figures({ view }: { view: HealthView }) {
  const { t, i18n } = useTranslation('health');
  const formats = useFormats();
  const { figures, findings } = view.health;
  const stateOf = (about: (typeof findings)[number]['about']): HealthState =>
    findings.find((finding) => finding.about === about)?.state ?? 'healthy';
  const since = (moment: string | null) =>
    moment === null ? null : formats.duration(Math.max(0, Date.parse(figures.measuredAt) - Date.parse(moment)));
  const numbersIn = (values: Record<string, string | number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? formats.number(value) : value]));
  const limit = (ms: number) => formats.number(ms / 60_000, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
  const rows = [
    {
      name: t('queue.name'),
      value: formats.number(figures.queued),
      state: stateOf('queue'),
      meaning: t('queue.meaning', { limit: formats.number(HEALTH_LIMITS.queued) }),
    },
    {
      name: t('wait.name'),
      value: since(figures.queuedSince) ?? t('none'),
      state: stateOf('wait'),
      meaning: t('wait.meaning', { limit: limit(HEALTH_LIMITS.queuedMs) }),
    },
    {
      name: t('checks.name'),
      value: t('checks.value', { failed: formats.number(figures.failedChecks), count: figures.connections }),
      state: stateOf('checks'),
      meaning: t('checks.meaning'),
    },
    {
      name: t('checkpoint.name'),
      value: figures.checkpointAt === null ? t('none') : <RelativeTime at={figures.checkpointAt} />,
      state: stateOf('checkpoint'),
      meaning: t('checkpoint.meaning', { limit: limit(HEALTH_LIMITS.unplacedMs) }),
    },
    {
      name: t('log.name'),
      value: figures.log.sampledAt === null ? t('none') : <RelativeTime at={figures.log.sampledAt} />,
      state: stateOf('log'),
      meaning: (
        <>
          {figures.log.finding === null ? null : (
            <strong className="block text-danger-ink" data-log-finding={figures.log.finding.code}>
              {runtimeText(i18n, 'health', `log.finding.${figures.log.finding.code}`, numbersIn(figures.log.finding.values))}
            </strong>
          )}
          {t('log.meaning')} {figures.log.wholeAt === null ? t('log.notWholeYet') : t('log.whole')}{' '}
          {figures.log.wholeAt === null ? null : <RelativeTime at={figures.log.wholeAt} />}
        </>
      ),
    },
    {
      name: t('halt.name'),
      value: stateOf('halt') === 'healthy' ? t('halt.off') : t('halt.on'),
      state: stateOf('halt'),
      meaning: t('halt.meaning'),
    },
    ...(view.deliveries === null
      ? []
      : [
          {
            name: t('deliveries.name'),
            value: t('deliveries.value', {
              waiting: formats.number(view.deliveries.waiting),
              failed: formats.number(view.deliveries.failed),
            }),
            state: view.deliveries.failed > 0 ? ('attention' as const) : ('healthy' as const),
            meaning: t('deliveries.meaning'),
          },
        ]),
  ];
  return (
    <DataTable
      caption={t('caption')}
      rows={rows}
      rowKey={(row) => row.name}
      empty={null}
      columns={[
        { key: 'name', header: t('column.figure'), cell: (row) => row.name },
        { key: 'value', header: t('column.now'), cell: (row) => <span className="whitespace-nowrap tabular-nums">{row.value}</span> },
        { key: 'state', header: t('column.state'), cell: (row) => <StateWord state={row.state} /> },
        {
          key: 'meaning',
          header: t('column.meaning'),
          cell: (row) => <span className="block max-w-measure min-w-72 text-muted">{row.meaning}</span>,
        },
      ]}
    />
  );
}

function StateWord({ state }: { state: HealthState }) {
  const { t } = useTranslation('health');
  const { Icon, tone } = HEALTH_LOOKS[state];
  return (
    <span className={`font-semibold whitespace-nowrap ${tone}`}>
      <Icon aria-hidden="true" className="me-1.5 inline-block size-4 align-[-0.2em]" strokeWidth={2.25} />
      {t(WORDS[state])}
    </span>
  );
}

const PAGES: Partial<Record<HealthView['failing'][number]['kind'], '/dashboard/plugins/:connection' | '/dashboard/agents/:connection'>> = {
  mcp: '/dashboard/plugins/:connection',
  a2a: '/dashboard/agents/:connection',
};

function Failing({ failing }: { failing: HealthView['failing'] }) {
  const { t } = useTranslation('health');
  return (
    <Section title={t('failing.title')} description={t('failing.text')}>
      <ul className="grid max-w-measure divide-y divide-line rounded-lg border border-line bg-surface">
        {failing.map((connection) => {
          const page = PAGES[connection.kind];
          return (
            <li key={connection.id} className="flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-2">
              {page === undefined ? (
                <bdi>{connection.name}</bdi>
              ) : (
                <Link className="text-link" to={href(page, { connection: connection.id })}>
                  <bdi>{connection.name}</bdi>
                </Link>
              )}
              {connection.checkedAt === null ? null : (
                <span className="text-sm text-muted">
                  {t('failing.checked')} <RelativeTime at={connection.checkedAt} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
