import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Log, NewId } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

/** How long a membership that is over may stay in the list of members; it opens nothing from its last moment on. */
const SWEEP_MS = 30_000;
const SWEEP_SIZE = 200;

export type MembershipDeps = {
  /** A transaction as the application itself, for the instance-wide list. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as a worker of one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  newId: NewId;
  log: Log;
};

/**
 * Takes out every member whose last day is over, each with its own audit event. Any number of processes may do so at once: who comes second
 * finds nothing. Returns how many it took out.
 */
export async function endMemberships({ asApp, asWorker, newId }: MembershipDeps): Promise<number> {
  const { rows: over } = await asApp((db) =>
    sql<{ workspace_id: string; user_id: string }>`select * from quorate.list_ended_memberships(${SWEEP_SIZE})`.execute(db),
  );
  let ended = 0;
  for (const { workspace_id, user_id } of over) {
    const { rows } = await asWorker(workspace_id, (db) =>
      sql<{ ended: boolean }>`select quorate.end_membership(${workspace_id}, ${user_id}, ${newId()}) as ended`.execute(db),
    );
    if (rows[0]?.ended === true) ended += 1;
  }
  return ended;
}

/** Sweeps now and then until it is stopped; a sweep that fails is logged and tried again. */
export function startMembershipEnd(deps: MembershipDeps): { stop(): Promise<void> } {
  return repeat({
    firstMs: 1_000,
    async work() {
      const ended = await endMemberships(deps);
      if (ended > 0) deps.log.info('memberships ended', { ended });
      return SWEEP_MS;
    },
    failed(error) {
      deps.log.error('memberships could not be ended', { error });
      return SWEEP_MS;
    },
  });
}
