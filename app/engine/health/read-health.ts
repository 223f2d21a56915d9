import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { logFindingSchema } from '#app/domain/audit/log-finding.ts';
import type { HealthFigures } from '#app/domain/people/health.ts';

/** Every page of the app area shows the health of its workspace: within this time all of them share one measurement. */
export const HEALTH_KEPT_MS = 5_000;
const KEPT_WORKSPACES = 1_000;

const kept = new LRUCache<string, { until: number; figures: Promise<HealthFigures> }>({ max: KEPT_WORKSPACES });

/** The figures of a workspace, not older than HEALTH_KEPT_MS. `read`: a transaction as one of its members. */
export function readHealth(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<HealthFigures> {
  const known = kept.get(workspaceId);
  if (known !== undefined && known.until > now.getTime()) return known.figures;
  const figures = read(measureHealth);
  kept.set(workspaceId, { until: now.getTime() + HEALTH_KEPT_MS, figures });
  // A failure goes to its current waiters, and to no later ones.
  figures.catch(() => kept.delete(workspaceId));
  return figures;
}

/** One look at the present state of the database. */
export async function measureHealth(db: Db): Promise<HealthFigures> {
  const { rows } = await sql<{
    measured_at: Date;
    queued: number;
    queued_since: Date | null;
    connections: number;
    failed_checks: number;
    checked_at: Date | null;
    unplaced_since: Date | null;
    checkpoint_at: Date | null;
    log_finding: Json;
    log_sampled_at: Date | null;
    log_whole_at: Date | null;
  }>`select h.*, l.finding as log_finding, l.sampled_at as log_sampled_at, l.whole_at as log_whole_at
    from quorate.read_health() h cross join quorate.read_log_audit() l`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered no figures');
  return {
    measuredAt: row.measured_at.toISOString(),
    queued: row.queued,
    queuedSince: row.queued_since?.toISOString() ?? null,
    connections: row.connections,
    failedChecks: row.failed_checks,
    checkedAt: row.checked_at?.toISOString() ?? null,
    unplacedSince: row.unplaced_since?.toISOString() ?? null,
    checkpointAt: row.checkpoint_at?.toISOString() ?? null,
    log: {
      finding: logFindingSchema.nullable().parse(row.log_finding),
      sampledAt: row.log_sampled_at?.toISOString() ?? null,
      wholeAt: row.log_whole_at?.toISOString() ?? null,
    },
  };
}
