import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Log, NewId } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

/** How long an approval may stay open after it is due when no run walks past it. */
export const APPROVAL_SWEEP_MS = 30_000;
const SWEEP_SIZE = 200;

export type ApprovalExpiryDeps = {
  /** A transaction as the application itself, for the instance-wide list. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as a worker of one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  enqueueRun(db: Db, run: { id: string; workspaceId: string }): Promise<void>;
  newId: NewId;
  log: Log;
};

/**
 * Closes every approval and control change that is past due, each with its own audit event, and lets its run continue to say so. Any number of processes may
 * sweep at once: who comes second finds it closed. Returns how many it closed.
 */
export async function expireApprovals(deps: ApprovalExpiryDeps): Promise<number> {
  const overdue = await deps.asApp(
    async (db) =>
      (
        await sql<{
          approval_id: string;
          run_id: string | null;
          workspace_id: string;
        }>`select * from quorate.list_overdue_approvals(${SWEEP_SIZE})`.execute(db)
      ).rows,
  );
  let closed = 0;
  for (const { approval_id, run_id, workspace_id } of overdue) {
    const expired = await deps.asWorker(workspace_id, async (db) => {
      const { rows } = await sql<{
        expired: boolean;
      }>`select quorate.expire_approval(${workspace_id}, ${approval_id}, ${deps.newId()}) as expired`.execute(db);
      if (rows[0]?.expired !== true) return false;
      if (run_id !== null) await deps.enqueueRun(db, { id: run_id, workspaceId: workspace_id });
      return true;
    });
    if (expired) closed += 1;
  }
  return closed + (await expireControlChanges(deps));
}

async function expireControlChanges(deps: ApprovalExpiryDeps): Promise<number> {
  const overdue = await deps.asApp(
    async (db) =>
      (await sql<{ change_id: string; workspace_id: string }>`select * from quorate.list_overdue_changes(${SWEEP_SIZE})`.execute(db)).rows,
  );
  let closed = 0;
  for (const { change_id, workspace_id } of overdue) {
    const { rows } = await deps.asWorker(workspace_id, (db) =>
      sql<{
        expired: boolean;
      }>`select quorate.expire_control_change(${workspace_id}, ${change_id}, ${deps.newId()}) as expired`.execute(db),
    );
    if (rows[0]?.expired === true) closed += 1;
  }
  return closed;
}

/** Sweeps now and then until it is stopped; a sweep that fails is logged and tried again. */
export function startApprovalExpiry(deps: ApprovalExpiryDeps, everyMs: number = APPROVAL_SWEEP_MS): { stop(): Promise<void> } {
  return repeat({
    firstMs: Math.min(everyMs, 1_000),
    async work() {
      const closed = await expireApprovals(deps);
      if (closed > 0) deps.log.info('approvals expired', { closed });
      return everyMs;
    },
    failed(error) {
      deps.log.error('approvals could not be swept', { error });
      return everyMs;
    },
  });
}
