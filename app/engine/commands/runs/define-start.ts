import type { z } from 'zod';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import type { Principal } from '#app/contracts/principals.ts';
import type { Tables } from '#app/contracts/tables.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { type CommandCall, defineCommand } from '#app/engine/commands/command.ts';
import { type EarlierRun, findRunByRequestKey, type RunStart, startRun } from '#app/engine/runs/start-run.ts';

/** `again`: an earlier call with the same key has started it. */
export type Started = { runId: string; again: boolean };
/** The workflow version and input to run, read or made in the transaction that starts the run. */
type Prepared = Omit<RunStart, 'workspaceId' | 'initiatorId' | 'requestKey'>;

/**
 * A command that starts a run: quota, halt, limits, row, job and event in one transaction. The same request key comes to the same run, also
 * from two calls at the same moment. A program, which may send another request under a used key, is refused where `isSame` says so.
 */
export function defineStart<Input extends z.ZodType<{ requestKey: string | null }>, const Scope extends ApiKeyScope | null>({
  permission,
  scope,
  input,
  changes = [],
  prepare,
  isSame = () => true,
}: {
  /** A test run needs `authorWorkflow` beside it. */
  permission: 'startRun' | 'authorWorkflow';
  scope: Scope;
  input: Input;
  changes?: readonly (keyof Tables)[];
  prepare(call: CommandCall, input: z.output<Input>): Promise<Prepared>;
  isSame?(run: EarlierRun, input: z.output<Input>): boolean;
}) {
  return defineCommand({
    permission,
    scope,
    input,
    actions: ['run.started'],
    changes: ['quorate.runs', ...changes],
    repeat: 'byRequestKey',
    async earlier(principal, given): Promise<Started | null> {
      const run = given.requestKey === null ? null : await findEarlierRun(principal, given.requestKey);
      if (run === null) return null;
      if (principal.scopes !== null && !isSame(run, given)) throw new AppError('conflict', { values: { what: 'idempotencyKey' } });
      return { runId: run.id, again: true };
    },
    async change(call, given) {
      const { db, principal, engine, newId, now } = call;
      const prepared = await prepare(call, given);
      if (prepared.mode === 'test') assertPermission(principal.roles, 'authorWorkflow');
      const { enqueueRun, admitRun } = engine;
      const start = { ...prepared, workspaceId: principal.workspace.id, initiatorId: principal.userId, requestKey: given.requestKey };
      const { runId, event } = await startRun(db, { enqueueRun, admitRun, newId, now }, start);
      return { result: { runId, again: false }, event };
    },
  });
}

function findEarlierRun({ workspace, userId, read }: Principal, requestKey: string) {
  return read((db) => findRunByRequestKey(db, { workspaceId: workspace.id, initiatorId: userId, requestKey }));
}
