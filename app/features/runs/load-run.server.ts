import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunCeilings } from '#app/contracts/limits.ts';
import type { ApprovalStatus, Risk, RunStatus, StepKind, StepStatus, Verdict, Vote } from '#app/contracts/statuses.ts';
import type { RunPlace } from '#app/contracts/tables.ts';
import { AppError } from '#app/domain/errors.ts';
import { DEFAULT_RUN_CEILINGS, runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import { stepStatusIn } from '#app/domain/runs/run-status.ts';
import { type FlowStep, flowOf } from '#app/domain/workflows/flow-layout.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { readCallLine } from '#app/engine/runs/read-call-line.ts';

/** Tokens that models counted, and their cost in millionths of a US dollar; null: not all prices are known. */
export type Usage = { tokensIn: number; tokensOut: number; costMicros: number | null };

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
  candidates: Json | null;
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
  decisions: { id: string; verdict: Verdict; rules: Json; reason: Explanation; at: string; policyVersion: string }[];
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
};

export type RunDetail = {
  id: string;
  /** `inspection`: one call that someone watched in the Dev Console; it has no page as a workflow. */
  workflow: { id: string; name: string; deleted: boolean; inspection: boolean; agent: boolean };
  version: number | null;
  mode: 'live' | 'test';
  status: RunStatus;
  initiator: string | null;
  initiatorId: string;
  /** The run that this one took up again. */
  from: string | null;
  input: Json;
  output: Json | null;
  error: Explanation | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  activeMs: number | null;
  waitingMs: number;
  cancelRequested: boolean;
  /** Why a call of it waits for a free place at its connection. */
  inLine: Explanation | null;
  /** The limit that a run waits for. */
  fullAt: { limit: 'workspace' | 'workflow'; runs: number } | null;
  usage: Usage | null;
  journalHash: string | null;
  closingEventId: string | null;
  updatedAt: string;
  /** The whole flow, with the steps that are still to come; empty for a run that follows none. */
  flow: FlowStep[];
  steps: RunStep[];
};

const explained = (value: Json | null): Explanation | null => {
  const parsed = explanationSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
};

/** Whether the call may have taken effect although its step failed. */
const isUnknown = (error: Json | null) => typeof error === 'object' && error !== null && !Array.isArray(error) && error.unknown === true;

/** A limit that was removed a moment ago holds nobody back any longer. */
function fullAt(place: RunPlace | null, ofWorkflow: number | null, ofWorkspace: number | null): RunDetail['fullAt'] {
  if (place === 'workflow' && ofWorkflow !== null) return { limit: place, runs: ofWorkflow };
  return place === 'workspace' && ofWorkspace !== null ? { limit: place, runs: ofWorkspace } : null;
}

function usageOf(row: { tokens_in: number | null; tokens_out: number | null; cost_micros: number | null }): Usage | null {
  if (row.tokens_in === null && row.tokens_out === null) return null;
  return { tokensIn: row.tokens_in ?? 0, tokensOut: row.tokens_out ?? 0, costMicros: row.cost_micros };
}

/** One run with its whole journal, its decisions and its approvals. @throws AppError not_found */
export async function loadRun(db: Db, id: string, ceilings: RunCeilings = DEFAULT_RUN_CEILINGS): Promise<RunDetail> {
  const run = await readRun(db, id);
  const steps = await readSteps(db, id);
  const control = await readControl(db, id);
  const closing = await db
    .selectFrom('quorate.audit_events')
    .where('resource_kind', '=', 'run')
    .where('resource_id', '=', id)
    .where('action', 'in', ['run.completed', 'run.failed', 'run.cancelled'])
    .select('id')
    .executeTakeFirst();
  const activeMs =
    run.started_at === null || run.finished_at === null
      ? null
      : Math.max(0, run.finished_at.getTime() - run.started_at.getTime() - run.waiting_ms);
  return {
    id: run.id,
    workflow: {
      id: run.artifact_id,
      name: run.workflow_name ?? '',
      deleted: run.workflow_deleted_at !== null,
      inspection: run.workflow_kind === 'inspection',
      agent: run.workflow_kind === 'agent',
    },
    version: run.version,
    mode: run.mode,
    status: run.status,
    initiator: run.initiator,
    initiatorId: run.initiator_id,
    from: run.parent_run_id,
    input: run.input,
    output: run.output,
    error: explained(run.error),
    createdAt: run.created_at.toISOString(),
    startedAt: run.started_at?.toISOString() ?? null,
    finishedAt: run.finished_at?.toISOString() ?? null,
    activeMs,
    waitingMs: run.waiting_ms,
    cancelRequested: run.cancel_requested_at !== null,
    inLine: run.status === 'waiting' || run.status === 'processing' ? await readCallLine(db, id, new Date()) : null,
    fullAt: fullAt(run.place, run.runs_at_once, runLimitsInForce(run.workspace_settings, ceilings).runsAtOnce),
    usage: usageOf(run),
    journalHash: run.journal_hash,
    closingEventId: closing?.id ?? null,
    updatedAt: run.updated_at.toISOString(),
    flow: run.workflow_kind === 'workflow' ? flowOf(workflowDocumentSchema.parse(run.document).steps) : [],
    steps: steps.map((step) => stepOf(run, step, control)),
  };
}

async function readRun(db: Db, id: string) {
  const run = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.workspaces as w', 'w.id', 'r.workspace_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    )
    .where('r.id', '=', id)
    .selectAll('r')
    .select([
      'v.number as version',
      'v.document',
      'a.name as workflow_name',
      'a.deleted_at as workflow_deleted_at',
      'a.kind as workflow_kind',
      'a.runs_at_once',
      'w.settings as workspace_settings',
      'm.name as initiator',
    ])
    .executeTakeFirst();
  if (run === undefined) throw new AppError('not_found');
  return run;
}

function readSteps(db: Db, id: string) {
  return db
    .selectFrom('quorate.steps as s')
    .leftJoin('quorate.connections as n', 'n.id', 's.connection_id')
    .leftJoin('quorate.capabilities as c', 'c.id', 's.capability_id')
    .where('s.run_id', '=', id)
    .orderBy('s.position')
    .selectAll('s')
    .select(['n.name as connection_name', 'c.name as capability_name', 'c.title as capability_title'])
    .execute();
}

/** What decided on its calls: policies and people. */
async function readControl(db: Db, id: string) {
  return {
    decisions: await db.selectFrom('quorate.decisions').where('run_id', '=', id).orderBy('decided_at').selectAll().execute(),
    approvals: await db.selectFrom('quorate.approvals').where('run_id', '=', id).orderBy('created_at').selectAll().execute(),
    votes: await db
      .selectFrom('quorate.approval_votes as v')
      .innerJoin('quorate.approvals as a', 'a.id', 'v.approval_id')
      .where('a.run_id', '=', id)
      .orderBy('v.voted_at')
      .select(['v.approval_id', 'v.voter_name', 'v.vote', 'v.reason', 'v.voted_at'])
      .execute(),
  };
}

type Control = Awaited<ReturnType<typeof readControl>>;

function stepOf(run: { status: RunStatus }, step: Awaited<ReturnType<typeof readSteps>>[number], control: Control): RunStep {
  return {
    path: step.path,
    id: step.step_id,
    kind: step.kind,
    name: step.name,
    status: stepStatusIn(run.status, step.status),
    attempt: step.attempt,
    protocol: step.protocol,
    connection: step.connection_name,
    capability: step.capability_title === null || step.capability_title === '' ? step.capability_name : step.capability_title,
    candidates: step.candidates,
    reason: step.reason,
    input: step.input,
    output: step.output,
    error: explained(step.error),
    unknown: isUnknown(step.error),
    inputDigest: step.input_digest,
    outputDigest: step.output_digest,
    usage: usageOf(step),
    startedAt: step.started_at.toISOString(),
    finishedAt: step.finished_at?.toISOString() ?? null,
    decisions: control.decisions
      .filter((row) => row.step_path === step.path)
      .map((row) => ({
        id: row.id,
        verdict: row.verdict,
        rules: row.rules,
        reason: row.reason,
        at: row.decided_at.toISOString(),
        policyVersion: row.policy_version,
      })),
    approval: approvalOf(step.path, control),
  };
}

/** The last one that was asked for at the step. */
function approvalOf(path: string, { approvals, votes }: Control): RunStep['approval'] {
  const approval = approvals.filter((row) => row.step_path === path).at(-1);
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
