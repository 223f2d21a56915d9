import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunCeilings } from '#app/contracts/limits.ts';
import { runTrialSchema } from '#app/contracts/run-trial.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { RunStatus, StepStatus } from '#app/contracts/statuses.ts';
import type { RunPlace } from '#app/contracts/tables.ts';
import { AppError } from '#app/domain/errors.ts';
import { DEFAULT_RUN_CEILINGS, runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { type FlowStep, flowOf } from '#app/domain/workflows/flow-layout.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { type FoundAsk, readAsks } from '#app/engine/runs/read-asks.ts';
import { readCallLine } from '#app/engine/runs/read-call-line.ts';
import { explainSubject } from '#app/engine/runs/texts/make-subject.ts';
import { readSignInWaits, type SignInWaited } from '#app/engine/runs/waiting/read-sign-in-waits.ts';
import { countWaitingInLoops, explained, loadLoopStates, type Usage, usageOf } from '#app/features/runs/load-run-steps.server.ts';
import { loadTraceSteps, type TraceStep } from '#app/features/runs/trace/load-trace-steps.server.ts';

export type RunDetail = RunIdentity & {
  id: string;
  /** Why it has no subject although its workflow names one. */
  noSubject: Explanation | null;
  /** `inspection`: one call that someone watched in the Dev Console, `gateway`: one through a gateway; neither has a page as a workflow. */
  workflow: { id: string; name: string; deleted: boolean; inspection: boolean; agent: boolean; gateway: boolean };
  version: number | null;
  mode: 'live' | 'test';
  /** A test of one step, or a dry run. */
  trial: 'step' | 'dry' | null;
  status: RunStatus;
  initiator: string | null;
  initiatorId: string;
  /** The run that this one took up again. */
  from: string | null;
  /** The run whose step started this one. */
  caller: string | null;
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
  /** Those outside loops. */
  steps: TraceStep[];
  /** Approvals and forms that steps inside loops wait for. */
  waitingInLoops: number;
  /** Decisions and forms that runs it has called wait for, the oldest first. */
  /** Sign-ins that its own steps wait for; `person` null: anyone who may sign in for the workspace. */
  signIns: SignInWaited[];
  calledAsks: FoundAsk[];
  /** How the steps inside loops stand, all items together, by their paths in the flow. */
  loopStates: [path: string, status: StepStatus][];
};

/** A limit that was removed a moment ago holds nobody back any longer. */
function fullAt(place: RunPlace | null, ofWorkflow: number | null, ofWorkspace: number | null): RunDetail['fullAt'] {
  if (place === 'workflow' && ofWorkflow !== null) return { limit: place, runs: ofWorkflow };
  return place === 'workspace' && ofWorkspace !== null ? { limit: place, runs: ofWorkspace } : null;
}

/** One run with the steps of its journal outside loops, their decisions and their approvals. @throws AppError not_found */
export async function loadRun(db: Db, id: string, ceilings: RunCeilings = DEFAULT_RUN_CEILINGS): Promise<RunDetail> {
  const run = await readRun(db, id);
  const subject = readSubject(run.subject);
  const steps = await loadTraceSteps(db, run, null);
  const hasLoops = steps.some(({ items }) => items !== null);
  const drawn = hasSteps(run.workflow_kind) ? workflowDocumentSchema.parse(run.document).steps : [];
  const loopStates = hasLoops ? await loadLoopStates(db, run, drawn) : [];
  const waitingInLoops = hasLoops ? await countWaitingInLoops(db, id) : 0;
  const asks = isTerminalRunStatus(run.status) ? [] : await readAsks(db, [id]);
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
    number: run.number,
    subject,
    noSubject: subject === null ? await whyNoSubject(run) : null,
    workflow: {
      id: run.artifact_id,
      name: run.workflow_name ?? '',
      deleted: run.workflow_deleted_at !== null,
      inspection: run.workflow_kind === 'inspection',
      agent: run.workflow_kind === 'agent',
      gateway: run.workflow_kind === 'gateway',
    },
    version: run.version,
    mode: run.mode,
    trial: run.trial === null ? null : runTrialSchema.parse(run.trial).kind,
    status: run.status,
    initiator: run.initiator,
    initiatorId: run.initiator_id,
    from: run.parent_run_id,
    caller: run.caller_run_id,
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
    flow: flowOf(drawn),
    steps,
    loopStates,
    waitingInLoops,
    signIns: asks.length === 0 ? [] : await readSignInWaits(db, id),
    calledAsks: asks.filter(({ of }) => of !== id),
  };
}

/** Its document is that of a workflow. A gateway's has one step. */
const hasSteps = (kind: string | null) => kind === 'workflow' || kind === 'gateway';

/** Made once more from the same input; nothing where it succeeds, for then the subject was erased. */
async function whyNoSubject({ workflow_kind, document, mode, input, created_at }: Awaited<ReturnType<typeof readRun>>) {
  if (!hasSteps(workflow_kind) || typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const made = await explainSubject({ document: workflowDocumentSchema.parse(document), mode, input, startedAt: created_at });
  return made !== null && 'why' in made ? made.why : null;
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
