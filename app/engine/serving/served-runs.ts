import { canonicalJson } from '#app/domain/canonical-json.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus, type RunStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import { findRunByRequestKey, startRun } from '#app/engine/runs/start-run.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

export type ServedRun = {
  id: string;
  workflowId: string;
  workflow: string;
  status: RunStatus;
  mode: 'live' | 'test';
  input: Json;
  output: Json | null;
  /** A key of the namespace `explanations` with its values. */
  error: Json | null;
  requestKey: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** The pending approval that the run waits for, where the caller may see approvals. */
  approvalId: string | null;
};

/** A run of the caller's workspace that the caller may see, or null. */
export async function readServedRun(caller: Caller, id: string): Promise<ServedRun | null> {
  return caller.read(async (db) => {
    const row = await db
      .selectFrom('quorate.runs as r')
      .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
      .where('r.id', '=', id)
      .where('r.workspace_id', '=', caller.key.workspace.id)
      .select([
        'r.id',
        'r.artifact_id as workflowId',
        'a.name as workflow',
        'r.status',
        'r.mode',
        'r.input',
        'r.output',
        'r.error',
        'r.request_key as requestKey',
        'r.created_at as createdAt',
        'r.finished_at as finishedAt',
      ])
      .executeTakeFirst();
    if (row === undefined) return null;
    const approval =
      row.status === 'waiting'
        ? await db.selectFrom('quorate.approvals').where('run_id', '=', id).where('status', '=', 'pending').select('id').executeTakeFirst()
        : undefined;
    return { ...row, approvalId: approval?.id ?? null };
  });
}

/** Where a person decides what a run waits for: the approval, or the run that shows it. A program never does. */
export function approvalPage(origin: string, run: ServedRun): string {
  return run.approvalId === null ? `${origin}/dashboard/runs/${run.id}` : `${origin}/dashboard/approvals/${run.approvalId}`;
}

/**
 * Starts a live run of a published workflow by a key. With a request key the same start comes to the same run; another workflow or
 * input under it is a conflict { what: idempotencyKey }. Throws AppError as `startRun`.
 */
export async function startServedRun(
  caller: Caller,
  deps: Pick<ServingDeps, 'engine' | 'newId' | 'now'>,
  start: { workflow: ServedWorkflow; input: { [name: string]: Json }; triggerKind: string; requestKey: string | null },
): Promise<{ runId: string; again: boolean }> {
  const { key } = caller;
  const { workflow, input, requestKey } = start;
  const owner = { workspaceId: key.workspace.id, initiatorId: key.user.id };
  const known = async () => {
    if (requestKey === null) return null;
    const runId = await caller.read((db) => findRunByRequestKey(db, { ...owner, requestKey }));
    const run = runId === null ? null : await readServedRun(caller, runId);
    if (run === null) return null;
    if (run.workflowId !== workflow.id || canonicalJson(run.input) !== canonicalJson(input))
      throw new AppError('conflict', { values: { what: 'idempotencyKey' } });
    return { runId: run.id, again: true };
  };
  const first = await known();
  if (first !== null) return first;
  try {
    const runId = await caller.change(async (db) => {
      const started = await startRun(
        db,
        { enqueueRun: deps.engine.enqueueRun, newId: deps.newId, now: deps.now },
        {
          ...owner,
          artifactId: workflow.id,
          versionId: workflow.versionId,
          document: workflow.document,
          mode: 'live',
          input,
          triggerKind: start.triggerKind,
          requestKey,
          name: workflow.name,
        },
      );
      return { result: started.runId, event: started.event };
    });
    return { runId, again: false };
  } catch (error) {
    // Two with one key at the same moment: the other was first.
    const other = error instanceof AppError && error.code === 'conflict' && error.values.what === undefined ? await known() : null;
    if (other === null) throw error;
    return other;
  }
}

/** True when nothing more happens by itself: the run is over, or a person has to decide. */
const isSettled = (run: ServedRun): boolean => run.status === 'waiting' || isTerminalRunStatus(run.status);

/** The run as soon as it is settled (with `over`: has ended), or as it stands when time is up or the caller has gone. */
export async function untilSettled(
  caller: Caller,
  deps: Pick<ServingDeps, 'engine'>,
  runId: string,
  { waitMs, signal, onChange, over = false }: { waitMs: number; signal?: AbortSignal; onChange?: (run: ServedRun) => void; over?: boolean },
): Promise<ServedRun | null> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settled = (run: ServedRun) => (over ? isTerminalRunStatus(run.status) : isSettled(run));
  let last = await readServedRun(caller, runId);
  if (last === null || settled(last)) return last;
  let reading = Promise.resolve();
  const look = () => {
    reading = reading.then(async () => {
      const run = await readServedRun(caller, runId);
      if (run !== null && run.status !== last?.status) onChange?.(run);
      last = run;
      if (run === null || settled(run)) resolve();
    });
    reading.catch(reject);
  };
  const timer = setTimeout(resolve, waitMs);
  const stop = deps.engine.watchRun({ runId, workspaceId: caller.key.workspace.id }, look);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  try {
    look();
    await promise;
    return last;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
