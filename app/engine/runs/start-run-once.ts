import type { ApiKeyScope } from '#app/domain/api-key-scopes.ts';
import type { AuditEntry } from '#app/domain/audit-event.ts';
import { canonicalJson } from '#app/domain/canonical-json.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand, type Role } from '#app/domain/roles.ts';
import type { Json } from '#app/domain/tables.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import { findRunByRequestKey, type RunStart, startRun } from '#app/engine/runs/start-run.ts';

/** A member at a form or a program with a key: as whom the run starts, and their ways to the data. `scopes`: of a key, null for a member. */
export type Starter = {
  workspaceId: string;
  userId: string;
  roles: readonly Role[];
  scopes: readonly ApiKeyScope[] | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};
type Once = {
  /** Of the form or the call. Null: each call starts a run. */
  requestKey: string | null;
  triggerKind?: string;
  /** For a program, which may send another request under a used key: the workflow and the input that it sends now. */
  same?: { artifactId: string; input: { [name: string]: Json } };
  /** What is to run, read or made in the transaction that starts it. */
  prepare(db: Db): Promise<Omit<RunStart, 'workspaceId' | 'initiatorId' | 'requestKey' | 'triggerKind'>>;
};

/**
 * Starts a run for a member or a key in a transaction of its own: permission, input, quota, halt, row, job and event together. The same
 * request key comes to the same run (`again`), also from two requests at the same moment. Throws AppError: forbidden, what `startRun` and
 * `prepare` throw, and conflict { what: idempotencyKey } where the key was used for something else than `same`.
 */
export async function startRunOnce(
  starter: Starter,
  deps: { engine: Pick<Engine, 'enqueueRun' | 'admitRun'>; newId(): string; now(): Date },
  { requestKey, triggerKind, same, prepare }: Once,
): Promise<{ runId: string; again: boolean }> {
  const owner = { workspaceId: starter.workspaceId, initiatorId: starter.userId };
  const known = async () => {
    if (requestKey === null) return null;
    const runId = await starter.read(async (db) => {
      const found = await findRunByRequestKey(db, { ...owner, requestKey });
      if (found !== null && same !== undefined) await requireSame(db, found, same);
      return found;
    });
    return runId === null ? null : { runId, again: true };
  };
  const first = await known();
  if (first !== null) return first;
  try {
    const runId = await starter.change(async (db) => {
      const prepared = await prepare(db);
      demand(starter.roles, prepared.mode === 'test' ? 'authorWorkflow' : 'startRun');
      if (starter.scopes !== null && !starter.scopes.includes('runs:start')) throw new AppError('forbidden');
      const { enqueueRun, admitRun } = deps.engine;
      const started = await startRun(
        db,
        { enqueueRun, admitRun, newId: deps.newId, now: deps.now },
        { ...owner, ...prepared, requestKey, ...(triggerKind === undefined ? {} : { triggerKind }) },
      );
      return { result: started.runId, event: started.event };
    });
    return { runId, again: false };
  } catch (error) {
    // Two with one key at the same moment: the other was first, and this one was refused for what the other did.
    const other = error instanceof AppError ? await known() : null;
    if (other === null) throw error;
    return other;
  }
}

async function requireSame(db: Db, runId: string, same: NonNullable<Once['same']>): Promise<void> {
  const run = await db.selectFrom('quorate.runs').select(['artifact_id', 'input']).where('id', '=', runId).executeTakeFirst();
  if (run === undefined || (run.artifact_id === same.artifactId && canonicalJson(run.input) === canonicalJson(same.input))) return;
  throw new AppError('conflict', { values: { what: 'idempotencyKey' } });
}
