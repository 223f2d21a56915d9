import type { LogFinding } from '#app/domain/audit/log-finding.ts';

/** The state of everything that a workspace's work depends on, at one moment. Times are ISO 8601; null: there is none. */
export type HealthFigures = {
  measuredAt: string;
  /** Runs that are ready to continue and that no worker drives. */
  queued: number;
  /** Since when the longest waiting of them has been ready. */
  queuedSince: string | null;
  connections: number;
  /** Connections whose last check failed. */
  failedChecks: number;
  /** The check that lies back furthest. */
  checkedAt: string | null;
  /** When the oldest audit event happened that has no place in the log yet. */
  unplacedSince: string | null;
  checkpointAt: string | null;
  /** The result of the log's audit of itself: the fault, the last look, and the last look at everything. */
  log: { finding: LogFinding | null; sampledAt: string | null; wholeAt: string | null };
};

/** From here on a figure is worth someone's attention; ten times a span of time is a fault. */
export const HEALTH_LIMITS = { queued: 1_000, queuedMs: 60_000, unplacedMs: 60_000 } as const;
const FAULT_FACTOR = 10;

export type HealthState = 'healthy' | 'attention' | 'fault';
export type HealthFinding = {
  about: 'log' | 'halt' | 'queue' | 'wait' | 'checks' | 'checkpoint';
  state: Exclude<HealthState, 'healthy'>;
  count: number;
};
export type Health = { state: HealthState; findings: HealthFinding[]; figures: HealthFigures };

/** The faults, the worst first. Under a halt, waiting runs are no fault. */
export function judgeHealth(figures: HealthFigures, halted: boolean): Health {
  const waitMs = age(figures, figures.queuedSince);
  const unplacedMs = age(figures, figures.unplacedSince);
  const found: (HealthFinding | null)[] = [
    figures.log.finding === null ? null : { about: 'log', state: 'fault', count: 1 },
    halted ? { about: 'halt', state: 'fault', count: 1 } : null,
    halted ? null : judgeSpan('wait', waitMs, HEALTH_LIMITS.queuedMs, figures.queued),
    judgeSpan('checkpoint', unplacedMs, HEALTH_LIMITS.unplacedMs, 1),
    figures.failedChecks > 0 ? { about: 'checks', state: 'attention', count: figures.failedChecks } : null,
    !halted && figures.queued > HEALTH_LIMITS.queued ? { about: 'queue', state: 'attention', count: figures.queued } : null,
  ];
  const findings = found.filter((finding) => finding !== null).sort((a, b) => Number(b.state === 'fault') - Number(a.state === 'fault'));
  return { state: findings[0]?.state ?? 'healthy', findings, figures };
}

function judgeSpan(about: HealthFinding['about'], ms: number, limitMs: number, count: number): HealthFinding | null {
  if (ms <= limitMs) return null;
  return { about, state: ms > limitMs * FAULT_FACTOR ? 'fault' : 'attention', count };
}

/** Milliseconds from a moment to the measurement; 0 for none. */
function age(figures: HealthFigures, since: string | null): number {
  return since === null ? 0 : Math.max(0, Date.parse(figures.measuredAt) - Date.parse(since));
}
