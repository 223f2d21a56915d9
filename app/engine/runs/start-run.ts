import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunTrial } from '#app/contracts/run-trial.ts';
import { AppError } from '#app/domain/errors.ts';
import { PLANS, planInForce } from '#app/domain/people/plans.ts';
import type { DataChange, ForkPlan } from '#app/domain/runs/run-fork.ts';
import { countEntries } from '#app/domain/workflows/fields/count-entries.ts';
import { ENTRIES_MAX } from '#app/domain/workflows/fields/field-types.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import type { EventOf } from '#app/engine/commands/command.ts';
import { readInputFiles, takeFiles } from '#app/engine/documents/take-files.ts';
import { inputValidator } from '#app/engine/runs/steps/input-validator.ts';
import { startSubject } from '#app/engine/runs/texts/make-subject.ts';

/** Bytes of JSON that a run's input may have. */
const INPUT_MAX_BYTES = 1_048_576;
/** The share of a plan's executions from which admins are warned. */
const QUOTA_WARNING = 0.8;
/** This close to a quota's end, starts wait for one another, so that each counts the others: there are no more connections than these. */
const NEAR_QUOTA = 100;

export type RunStart = {
  workspaceId: string;
  artifactId: string;
  versionId: string;
  document: WorkflowDocument;
  mode: 'live' | 'test';
  input: { [name: string]: Json };
  initiatorId: string;
  triggerKind?: string;
  /** The request key of the form or caller: a second post with the same key starts nothing. */
  requestKey: string | null;
  /** The name of the workflow, for the log. */
  name: string;
  /** The ended run that this one takes up again, and from which step; null: from the beginning. `changed`: data that a person put in place of its own. */
  from?: { runId: string; path: string | null; plan: ForkPlan; changed?: DataChange };
  /** Of a test run of one step or a dry run. */
  trial?: RunTrial | null;
};
export type InputIssue = { field: string; key: 'required' | 'invalid' | 'tooLong' };

/**
 * Starts a run inside a member's transaction: input checked, quota and halt obeyed, row, job and event committed together.
 * Throws AppError: invalid_input, halted, what `admitRun` throws, quota_exceeded, conflict { what: paused } for a live run of a workflow that is not in
 * force, or conflict when the request key was used meanwhile.
 */
export async function startRun(
  db: Db,
  deps: Pick<Engine, 'enqueueRun' | 'admitRun'> & { newId(): string; now?(): Date },
  start: RunStart,
): Promise<{ runId: string; event: EventOf<'run.started'> }> {
  const { input, files } = await readInputFiles(db, start.document.input, start.input);
  const checked = checkRunInput(start.document, input);
  if (!checked.ok) throw new AppError('invalid_input', { values: { fields: checked.issues.map((issue) => issue.field).join(', ') } });
  const now = deps.now?.() ?? new Date();
  const subject = await startSubject({ ...start, input: checked.value, startedAt: now });
  const workspace = await db
    .selectFrom('quorate.workspaces as w')
    .innerJoin('quorate.artifacts as a', 'a.workspace_id', 'w.id')
    .where('w.id', '=', start.workspaceId)
    .where('a.id', '=', start.artifactId)
    .where('a.deleted_at', 'is', null)
    .select(['w.plan', 'w.trial_ends_at', 'w.halted_at', 'w.settings', 'a.status'])
    .executeTakeFirst();
  if (workspace === undefined) throw new AppError('not_found');
  if (workspace.halted_at !== null) throw new AppError('halted');
  if (start.mode === 'live' && workspace.status !== 'active') throw new AppError('conflict', { values: { what: 'paused' } });
  await deps.admitRun(db, start.workspaceId, workspace.settings);
  const quota = start.mode === 'live' ? PLANS[planInForce(workspace, now)].executions : null;
  const used = await obeyQuota(db, start.workspaceId, quota, now);
  const runId = deps.newId();
  const inserted = await db
    .insertInto('quorate.runs')
    .values({
      id: runId,
      workspace_id: start.workspaceId,
      artifact_id: start.artifactId,
      version_id: start.versionId,
      mode: start.mode,
      trigger_kind: start.triggerKind ?? 'manual',
      initiator_id: start.initiatorId,
      input: JSON.stringify(checked.value),
      request_key: start.requestKey,
      parent_run_id: start.from?.runId ?? null,
      trial: start.trial == null ? null : JSON.stringify(start.trial),
      subject: subject === null ? null : JSON.stringify(subject),
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'initiator_id', 'request_key']).where('request_key', 'is not', null).doNothing(),
    )
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) throw new AppError('conflict', { message: 'the request key was used' });
  await takeFiles(db, runId, files);
  if (start.from !== undefined && start.from.path !== null) await takeOver(db, runId, start.from);
  await deps.enqueueRun(db, { id: runId, workspaceId: start.workspaceId }, { starts: true });
  // With the run just made; the database counts on its own and tells each level once a month.
  if (quota !== null && used + 1 >= quota * QUOTA_WARNING) await sql`select quorate.notify_quota(${quota})`.execute(db);
  return {
    runId,
    event: {
      action: 'run.started',
      resource: { kind: 'run', id: runId, name: start.name },
      payload: {
        ...startedPayload(start),
        ...(start.trial == null ? {} : { trial: start.trial.kind }),
        ...(start.from === undefined ? {} : { from: start.from.runId, fromStep: start.from.path, ...changedPayload(start.from.changed) }),
      },
    },
  };
}

async function takeOver(db: Db, runId: string, { runId: from, path, plan, changed }: NonNullable<RunStart['from']>): Promise<void> {
  const change = changed === undefined ? null : JSON.stringify(changed);
  const { kept, open } = plan;
  const begun = [path, ...plan.begun];
  await sql`select quorate.copy_journal(${from}, ${runId}, ${kept}::text[], ${open}::text[], ${begun}::text[], ${change}::json)`.execute(
    db,
  );
}

/** The change by its digests: the log holds no payload. */
function changedPayload(changed: DataChange | undefined): { [name: string]: Json } {
  if (changed === undefined) return {};
  const { path, part, before, after } = changed;
  return { changed: { step: path, part, before, after } };
}

/** The payload of the event `run.started`. */
export function startedPayload({
  artifactId,
  versionId,
  mode,
  triggerKind = 'manual',
}: Pick<RunStart, 'artifactId' | 'versionId' | 'mode' | 'triggerKind'>) {
  return { workflow: artifactId, version: versionId, mode, trigger: triggerKind };
}

/**
 * The number of live runs since the first of the month below which a start needs no check of the quota: it warns no admin and is not close
 * to the limit. Null: the plan has no quota.
 */
export function remainingQuota(workspace: Parameters<typeof planInForce>[0], now: Date): { since: Date; below: number } | null {
  const quota = PLANS[planInForce(workspace, now)].executions;
  return quota === null ? null : { since: monthOf(now), below: Math.min(Math.ceil(quota * QUOTA_WARNING - 1), quota - NEAR_QUOTA) };
}

/** The first of the month, UTC: executions of a plan are counted from there. */
export const monthOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

/** The run of an earlier call, with its input. */
export type EarlierRun = { id: string; artifactId: string; input: Json };

/** The run that an earlier call with this key started, or null. */
export async function findRunByRequestKey(
  db: Db,
  key: { workspaceId: string; initiatorId: string; requestKey: string },
): Promise<EarlierRun | null> {
  const row = await db
    .selectFrom('quorate.runs')
    .where('workspace_id', '=', key.workspaceId)
    .where('initiator_id', '=', key.initiatorId)
    .where('request_key', '=', key.requestKey)
    .select(['id', 'artifact_id as artifactId', 'input'])
    .executeTakeFirst();
  return row ?? null;
}

/** Checks a run's input against the fields of its workflow. `key` is one of `validation.json`. */
export function checkRunInput(
  document: WorkflowDocument,
  input: { [name: string]: Json },
): { ok: true; value: { [name: string]: Json } } | { ok: false; issues: InputIssue[] } {
  const text = JSON.stringify(input);
  if (text.length > INPUT_MAX_BYTES) return { ok: false, issues: [{ field: '', key: 'tooLong' }] };
  // neither has a place in the database's JSON
  if (/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(text)) return { ok: false, issues: [{ field: '', key: 'invalid' }] };
  if (countEntries(input) > ENTRIES_MAX) return { ok: false, issues: [{ field: '', key: 'tooLong' }] };
  const validate = inputValidator(document);
  if (validate(input)) return { ok: true, value: input };
  const issues = (validate.errors ?? []).map((error): InputIssue => {
    const { missingProperty, additionalProperty } = error.params;
    const way = [...error.instancePath.split('/').slice(1), missingProperty ?? additionalProperty ?? ''].filter((key) => key !== '');
    const isMissing = ['required', 'minLength', 'minItems'].includes(error.keyword);
    return { field: fieldPath(way.map(String)), key: isMissing ? 'required' : 'invalid' };
  });
  return { ok: false, issues };
}

/** As forms name it: `lines[2].total.amount`. */
const fieldPath = (way: readonly string[]) =>
  way.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('');

/** Returns the number used, counted up to the limit. Two starts at the very limit may both pass: a quota is no lock. */
async function obeyQuota(db: Db, workspaceId: string, limit: number | null, now: Date): Promise<number> {
  if (limit === null) return 0;
  const month = monthOf(now);
  const count = async () => {
    const { rows } = await sql<{ used: number }>`select quorate.count_live_runs(${workspaceId}, ${month}, ${limit}) as used`.execute(db);
    return rows[0]?.used ?? limit;
  };
  let used = await count();
  if (used < limit && used >= limit - NEAR_QUOTA) {
    await sql`select pg_advisory_xact_lock(hashtextextended('executions:' || ${workspaceId}, 0))`.execute(db);
    used = await count();
  }
  if (used >= limit) throw new AppError('quota_exceeded', { values: { limit } });
  return used;
}
