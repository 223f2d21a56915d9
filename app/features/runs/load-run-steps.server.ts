import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ApprovalStatus, Risk, RunStatus, StepKind, StepStatus, Verdict, Vote } from '#app/contracts/statuses.ts';
import { type RunFile, runFileSchema } from '#app/domain/documents/run-file.ts';
import { type RouteCandidate, readCandidates } from '#app/domain/runs/route-candidates.ts';
import { stepStatusIn } from '#app/domain/runs/run-status.ts';
import { loopsOf, pathOverItems } from '#app/domain/workflows/paths/loop-paths.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';

/** Tokens that models counted, and their cost in millionths of a US dollar; null: not all prices are known. */
export type Usage = { tokensIn: number; tokensOut: number; costMicros: number | null };

/** Items of a loop by how they stand. `total`: the length of the list; null while it is not known. */
export type LoopItems = { total: number | null; ok: number; failed: number; open: number };

export type RunStep = {
  path: string;
  id: string;
  kind: StepKind;
  name: string;
  status: StepStatus;
  attempt: number;
  protocol: 'mcp' | 'a2a' | null;
  connection: string | null;
  capability: string | null;
  candidates: RouteCandidate[];
  reason: Explanation | null;
  input: Json | null;
  output: Json | null;
  error: Explanation | null;
  /** The call may have taken effect, and was not made again for that. */
  unknown: boolean;
  inputDigest: string | null;
  outputDigest: string | null;
  usage: Usage | null;
  startedAt: string;
  finishedAt: string | null;
  decisions: {
    id: string;
    verdict: Verdict;
    rules: { policyId: string; policyName: string; version: number; rule: string }[];
    reason: Explanation;
    at: string;
    policyVersion: string;
    attempt: number;
    actionDigest: string;
    /** How the attempt that followed failed, where another was made. */
    failure: { error: Explanation; at: string } | null;
  }[];
  approval: {
    id: string;
    title: string;
    status: ApprovalStatus;
    risk: Risk;
    reason: Explanation;
    quorum: number;
    dueAt: string;
    votes: { voter: string; vote: Vote; reason: string; at: string }[];
  } | null;
  /** The run of another workflow that it has started, takes the result of or waits for. */
  called: string | null;
  /** The form that it asks a person to fill in. */
  task: string | null;
  /** The file that its output is. */
  file: RunFile | null;
  /** Of a loop: how far its items are. */
  items: LoopItems | null;
};

export const explained = (value: Json | null): Explanation | null => {
  const parsed = explanationSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
};

/** Whether the call may have taken effect although its step failed. */
const isUnknown = (error: Json | null) => typeof error === 'object' && error !== null && !Array.isArray(error) && error.unknown === true;

export function usageOf(row: { tokens_in: number | null; tokens_out: number | null; cost_micros: number | null }): Usage | null {
  if (row.tokens_in === null && row.tokens_out === null) return null;
  return { tokensIn: row.tokens_in ?? 0, tokensOut: row.tokens_out ?? 0, costMicros: row.cost_micros };
}

const rulesSchema = z.array(z.object({ policyId: z.string(), policyName: z.string(), version: z.number(), rule: z.string() }));

type AnyRun = { id: string; status: RunStatus };

/** One step with its values and what decided on it; undefined: the run's journal has none at this path. */
export async function loadRunStep(db: Db, run: AnyRun, path: string): Promise<RunStep | undefined> {
  const row = await readRow(db, run.id, path);
  if (row === undefined) return undefined;
  const control = await readControl(db, run.id, path);
  const items = await loopItemsOf(db, run.id, [row]);
  return { ...stepOf(run.status, row, control), items: items.get(row.path) ?? null };
}

function readRow(db: Db, id: string, path: string) {
  return db
    .selectFrom('quorate.steps as s')
    .leftJoin('quorate.connections as n', 'n.id', 's.connection_id')
    .leftJoin('quorate.capabilities as c', 'c.id', 's.capability_id')
    .leftJoin('quorate.runs as r', (join) => join.onRef('r.caller_run_id', '=', 's.run_id').onRef('r.caller_path', '=', 's.path'))
    .leftJoin('quorate.human_tasks as h', (join) => join.onRef('h.run_id', '=', 's.run_id').onRef('h.step_path', '=', 's.path'))
    .where('s.run_id', '=', id)
    .where('s.path', '=', path)
    .where('s.item_index', 'is', null)
    .selectAll('s')
    .select(['r.id as called_run', 'h.id as task', 'n.name as connection_name', 'c.name as capability_name', 'c.title as capability_title'])
    .executeTakeFirst();
}

/** How far those of these steps are that run others several times, by their paths. */
export async function loopItemsOf(db: Db, id: string, rows: readonly { kind: StepKind; path: string }[]): Promise<Map<string, LoopItems>> {
  const loops = rows.filter(({ kind }) => STEP_RULES[kind].repeats).map(({ path }) => path);
  return loops.length === 0 ? new Map() : readLoopItems(db, id, loops);
}

/** How far these loops are, by their paths. */
async function readLoopItems(db: Db, id: string, loops: string[]): Promise<Map<string, LoopItems>> {
  const { rows } = await sql<LoopItems & { path: string }>`
    select l.path, case when json_typeof(l.input -> 'items') = 'array' then json_array_length(l.input -> 'items') end as total, i.*
    from quorate.steps l cross join lateral (
      select count(*) filter (where x.status = 'success')::int as ok, count(*) filter (where x.status = 'error')::int as failed,
        count(*) filter (where x.status not in ('success', 'error'))::int as open
      from quorate.steps x where x.run_id = l.run_id and x.item_of = l.path and x.item_index is not null) i
    where l.run_id = ${id} and l.path = any(${loops}::text[])`.execute(db);
  return new Map(rows.map(({ path, ...items }) => [path, items]));
}

/**
 * How these steps stand inside loops, all items together, by their paths in the document (`lines/each/screen`): what is worst or still under way
 * speaks for the others.
 */
export async function loadLoopStates(
  db: Db,
  run: { id: string; status: RunStatus },
  steps: readonly Step[],
): Promise<[path: string, status: StepStatus][]> {
  // By the ids of steps, which no two of a document share and no call of an agent has: paths would have to be taken apart, row by row.
  const { rows } = await sql<{ id: string; status: StepStatus }>`
    select id, (array_agg(status order by array_position(array['error', 'waiting', 'processing', 'pending', 'success', 'skipped'], status)))[1]
      as status
    from (select s.step_id as id, s.status from quorate.steps s
      where s.run_id = ${run.id} and s.within is not null and s.item_index is null group by 1, 2) x group by 1`.execute(db);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const loops = loopsOf(steps);
  return [...walkSteps(steps)].flatMap(({ step, path }): [string, StepStatus][] => {
    const status = pathOverItems(path, loops) === path ? undefined : statuses.get(step.id);
    return status === undefined ? [] : [[path, stepStatusIn(run.status, status)]];
  });
}

/** Approvals and forms that the items of a run's loops wait for. */
export async function countWaitingInLoops(db: Db, runId: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from (
      select a.step_path from quorate.approvals a where a.run_id = ${runId} and a.status = 'pending'
      union all select t.step_path from quorate.human_tasks t where t.run_id = ${runId} and t.status = 'pending') x
    join quorate.steps s on s.run_id = ${runId} and s.path = x.step_path and s.within is not null`.execute(db);
  return rows[0]?.waiting ?? 0;
}

/** The decisions of policies and people on the calls of this step. */
async function readControl(db: Db, id: string, path: string) {
  return {
    decisions: await db
      .selectFrom('quorate.decisions')
      .where('run_id', '=', id)
      .where('step_path', '=', path)
      .orderBy('decided_at')
      .selectAll()
      .execute(),
    attempts: await db
      .selectFrom('quorate.step_attempts')
      .where('run_id', '=', id)
      .where('path', '=', path)
      .select(['attempt', 'error', 'failed_at'])
      .execute(),
    approvals: await db
      .selectFrom('quorate.approvals')
      .where('run_id', '=', id)
      .where('step_path', '=', path)
      .orderBy('created_at')
      .selectAll()
      .execute(),
    votes: await db
      .selectFrom('quorate.approval_votes as v')
      .innerJoin('quorate.approvals as a', 'a.id', 'v.approval_id')
      .where('a.run_id', '=', id)
      .where('a.step_path', '=', path)
      .orderBy('v.voted_at')
      .select(['v.approval_id', 'v.voter_name', 'v.vote', 'v.reason', 'v.voted_at'])
      .execute(),
  };
}

type Control = Awaited<ReturnType<typeof readControl>>;

/** The run that a step has not called itself: one that was called before it, whose result it takes or whose end it waits for. */
function takenRunOf(reason: Explanation | null): string | null {
  if (reason?.key !== 'calledRunTaken' && reason?.key !== 'calledRunAwaited') return null;
  return String(reason.key === 'calledRunTaken' ? reason.values.run : reason.values.awaits);
}

function stepOf(status: RunStatus, step: NonNullable<Awaited<ReturnType<typeof readRow>>>, control: Control): Omit<RunStep, 'items'> {
  return {
    path: step.path,
    id: step.step_id,
    kind: step.kind,
    name: step.name,
    status: stepStatusIn(status, step.status),
    attempt: step.attempt,
    protocol: step.protocol,
    called: step.called_run ?? takenRunOf(explained(step.reason)),
    task: step.task,
    connection: step.connection_name,
    capability: step.capability_title === null || step.capability_title === '' ? step.capability_name : step.capability_title,
    candidates: readCandidates(step.candidates),
    reason: step.reason,
    input: step.input,
    output: step.output,
    file: runFileSchema.safeParse(step.output).data ?? null,
    error: explained(step.error),
    unknown: isUnknown(step.error),
    inputDigest: step.input_digest,
    outputDigest: step.output_digest,
    usage: usageOf(step),
    startedAt: step.started_at.toISOString(),
    finishedAt: step.finished_at?.toISOString() ?? null,
    decisions: control.decisions.map((row) => ({
      id: row.id,
      verdict: row.verdict,
      rules: rulesSchema.safeParse(row.rules).data ?? [],
      reason: row.reason,
      at: row.decided_at.toISOString(),
      policyVersion: row.policy_version,
      attempt: row.attempt,
      actionDigest: row.action_digest,
      failure: failureOf(control, row.attempt),
    })),
    approval: approvalOf(control),
  };
}

function failureOf({ attempts }: Control, number: number): RunStep['decisions'][number]['failure'] {
  const failed = attempts.find((row) => row.attempt === number);
  const error = explained(failed?.error ?? null);
  return failed === undefined || error === null ? null : { error, at: failed.failed_at.toISOString() };
}

/** The last one that was asked for at the step. */
function approvalOf({ approvals, votes }: Control): RunStep['approval'] {
  const approval = approvals.at(-1);
  if (approval === undefined) return null;
  return {
    id: approval.id,
    title: approval.title,
    status: approval.status,
    risk: approval.risk,
    reason: approval.reason,
    quorum: approval.quorum,
    dueAt: approval.due_at.toISOString(),
    votes: votes
      .filter((row) => row.approval_id === approval.id)
      .map((row) => ({ voter: row.voter_name, vote: row.vote, reason: row.reason, at: row.voted_at.toISOString() })),
  };
}
