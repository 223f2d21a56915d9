import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Callbacks, Clock, FileStore, Log, NewId, ScanFile, Sealer } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';
import type { StepKind, StepStatus } from '#app/contracts/statuses.ts';
import type { ClaimedRun } from '#app/domain/runs/claim.ts';
import { type RiskFacts, riskFactsOf } from '#app/domain/runs/risk.ts';
import type { RunQueue } from '#app/domain/runs/run-queue.ts';
import type { JournalApproval, JournalStep, LocalStep, LoopState, RunError } from '#app/domain/runs/run-state.ts';
import type { FrozenAgent, VersionDocument } from '#app/domain/workflows/agent.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import type { Scope } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunConfigs } from '#app/engine/runs/run-config.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import type { PartialTexts } from '#app/engine/runs/waiting/partial-texts.ts';

/** The document of a version, which never changes. Null: it holds none that this release can read. */
export type ReadDocument = (workspaceId: string, versionId: string) => Promise<VersionDocument | null>;

export type ExecutionDeps = {
  store: RunStore;
  queue: RunQueue;
  configs: RunConfigs;
  readDocument: ReadDocument;
  texts: PartialTexts;
  callPeer: CallPeer;
  sealer: Sealer;
  /** Absent where no connection signs in by OAuth. */
  signIns?: Pick<SignIns, 'token'> | undefined;
  files: FileStore;
  scanFile: ScanFile;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Absent where nothing can come in: then no step knows an address. */
  callbacks?: Callbacks | undefined;
  /** Requests a check of a connection whose tool no longer matches its approved definition. */
  requestCheck?: ((workspaceId: string, connectionId: string) => Promise<void>) | undefined;
};

/** Why no further step of this drive may start. */
export type Stop = { kind: 'failed'; error: RunError } | { kind: 'cancelled' } | { kind: 'halted' } | { kind: 'fenced' };

/** The outcome of a step or a list of steps. `wait`: it continues when something happens; `stop`: `execution.stop` says why. */
export type Outcome = { kind: 'done'; output: Json } | { kind: 'wait' } | { kind: 'stop' };
export const WAIT: Outcome = { kind: 'wait' };
export const STOP: Outcome = { kind: 'stop' };

/** One worker's hold on one run, from claim to close, park or loss. */
export type RunExecution = {
  deps: ExecutionDeps;
  run: RunRef;
  claim: ClaimedRun;
  scope: Scope;
  /** Facts of the outputs of all steps that ended, also of branches beside this one, by id: what a decision weighs. */
  facts: Map<string, RiskFacts>;
  /** The journal as claimed, by path. */
  journal: ReadonlyMap<string, JournalStep>;
  /** Loops under way as claimed, by path. */
  loops: ReadonlyMap<string, LoopState>;
  approvals: readonly JournalApproval[];
  /** Local steps not yet written: they are sent with the next statement. By path, so that none is written twice at once. */
  pending: Map<string, LocalStep>;
  /** The agents of the workspace in the version, by id. */
  agents: Readonly<Record<string, FrozenAgent>>;
  /** The mode in which policies judge the run's calls. */
  judgedAs: 'live' | 'test';
  /** Usage of the calls at each path, all attempts together. */
  used: Map<string, { tokens: number; inputTokens: number; costMicros: number }>;
  /** Paths of the calls that were decided, and what is not told of one by one: calls and cost of the items of loops that have ended. */
  calls: { paths: Set<string>; ended: number; endedCostMicros: number };
  /** Why a step ended badly, by path, also where the run continues. */
  failures: Map<string, RunError>;
  /** Newest revision of the configuration that was seen. */
  revision: number;
  /** Steps that wait, as far as this drive has seen: outside of steps whose failure ends them alone, which keep their own. */
  waiting: Set<string>;
  /** The next time at which the steps must be walked again. */
  wakeAt: Date | null;
  /** Steps that wait for a free place at a connection: path to connection. */
  inLine: Map<string, string>;
  stop: Stop | null;
  /** Aborted when the run is cancelled or this process lets go of it. */
  signal: AbortSignal;
};

export function beginExecution(deps: ExecutionDeps, run: RunRef, claim: ClaimedRun, signal: AbortSignal): RunExecution {
  // The test of one step sees the outputs of steps that do not run, and policies weigh them as if they had.
  const { outputs = {}, around = {} } = claim.trial?.kind === 'step' ? claim.trial : {};
  return {
    deps,
    run,
    claim,
    scope: { input: claim.input, steps: { ...outputs }, run: { id: run.runId, mode: claim.mode, startedAt: claim.createdAt }, ...around },
    facts: new Map(Object.entries(outputs).map(([id, output]) => [id, riskFactsOf([output])])),
    journal: new Map(claim.steps.map((step) => [step.path, step])),
    loops: new Map(claim.loops.map((loop) => [loop.path, loop])),
    approvals: claim.approvals,
    pending: new Map(),
    agents: {},
    // A dry run is there to show what policies say of the live run.
    judgedAs: claim.trial?.kind === 'dry' ? 'live' : claim.mode,
    used: new Map(
      claim.steps.map((step) => [
        step.path,
        {
          tokens: (step.tokensIn ?? 0) + (step.tokensOut ?? 0),
          inputTokens: step.tokensIn ?? 0,
          costMicros: step.costMicros ?? 0,
        },
      ]),
    ),
    calls: callsOf(claim),
    failures: new Map(),
    revision: claim.revision,
    waiting: new Set(),
    wakeAt: null,
    inLine: new Map(),
    stop: null,
    signal,
  };
}

function callsOf({ steps, calls, costMicros }: ClaimedRun): RunExecution['calls'] {
  const paths = new Set(steps.filter(({ capabilityId }) => capabilityId !== null).map(({ path }) => path));
  const told = steps.reduce((sum, step) => sum + (step.costMicros ?? 0), 0);
  return { paths, ended: calls - paths.size, endedCostMicros: costMicros - told };
}

/** The calls of the run before the one at `path`, and what they cost. */
export function spentBefore({ calls, used }: RunExecution, path: string): { calls: number; costMicros: number } {
  const cost = [...used.values()].reduce((sum, { costMicros }) => sum + costMicros, calls.endedCostMicros);
  return { calls: calls.ended + calls.paths.size - (calls.paths.has(path) ? 1 : 0), costMicros: cost };
}

/**
 * The same hold for one of several parallel branches: its expressions see what came before the branches and in its own, as on every
 * later walk, and not how far the others happen to be.
 */
export function forkExecution(execution: RunExecution): RunExecution {
  return {
    ...execution,
    scope: { ...execution.scope, steps: { ...execution.scope.steps } },
    get stop() {
      return execution.stop;
    },
    set stop(stop) {
      execution.stop = stop;
    },
    get wakeAt() {
      return execution.wakeAt;
    },
    set wakeAt(at) {
      execution.wakeAt = at;
    },
    get revision() {
      return execution.revision;
    },
    set revision(revision) {
      execution.revision = revision;
    },
  };
}

/**
 * The same hold for steps whose failure ends them alone, such as those of one item of a loop: `failure` gives it. `more`: variables that their
 * expressions see besides.
 */
export function forkContained(execution: RunExecution, more: Partial<Scope>): RunExecution & { failure(): RunError | null } {
  const fork = forkExecution(execution);
  let failed: (Stop & { kind: 'failed' }) | null = null;
  Object.assign(fork.scope, more);
  fork.facts = new Map(execution.facts);
  fork.waiting = new Set();
  return Object.defineProperties(Object.assign(fork, { failure: () => failed?.error ?? null }), {
    stop: {
      get: () => failed ?? execution.stop,
      set: (stop: Stop | null) => {
        if (stop?.kind === 'failed') failed = stop;
        else execution.stop = stop;
      },
    },
  });
}

/** The local steps in hand, which the caller now writes. */
export function flushPending(execution: RunExecution): LocalStep[] {
  const rows = [...execution.pending.values()];
  execution.pending.clear();
  return rows;
}

/** Ends the place that a step holds at its connection, and queues the runs that wait for it. Lost on the way, they are found as stalled. */
export async function freeCall({ deps, run }: RunExecution, connectionId: string, path: string): Promise<void> {
  const granted = await deps.store.freeCall(run, connectionId, path);
  if (granted.length === 0) return;
  const { workspaceId } = run;
  await deps.queue.send(
    granted.map((runId) => ({ runId, workspaceId })),
    { readmits: true },
  );
}

export function resumeAt(execution: RunExecution, at: Date): void {
  if (execution.wakeAt === null || at < execution.wakeAt) execution.wakeAt = at;
}

export function writeLocal(
  execution: RunExecution,
  step: Pick<Step, 'id' | 'name'> & { kind: StepKind },
  path: string,
  row: {
    status: StepStatus;
    reason?: Explanation | null;
    input?: Json;
    output?: Json;
    error?: RunError | null;
    startedAt: Date;
    agentId?: string;
  },
): void {
  // A step may begin and end before its row is written: the one row then keeps the input and the reason of its beginning.
  const begun = execution.pending.get(path);
  const input = row.input ?? begun?.input ?? null;
  const output = row.output ?? null;
  const ended = row.status !== 'processing';
  execution.pending.set(path, {
    path,
    stepId: step.id,
    kind: step.kind,
    name: step.name,
    status: row.status,
    reason: row.reason ?? begun?.reason ?? null,
    input,
    output,
    error: row.error ?? null,
    inputDigest: input === null ? null : digestOf(input),
    outputDigest: output === null ? null : digestOf(output),
    startedAt: begun?.startedAt ?? row.startedAt.toISOString(),
    finishedAt: ended ? execution.deps.clock.now().toISOString() : null,
    ...(row.agentId === undefined ? {} : { agentId: row.agentId }),
  });
}

/** A step that ended well: later expressions see its output. */
export function succeed(execution: RunExecution, step: Step, output: Json): Outcome {
  execution.scope.steps[step.id] = output;
  execution.facts.set(step.id, riskFactsOf([output]));
  return { kind: 'done', output };
}

/** Whether a person has put other data in place of the input or the result of this step. */
export const isChanged = ({ reason }: Pick<JournalStep, 'reason'>): boolean => reason?.values?.changed === true;

/** Nobody knows what a person has left out of changed data: for every later decision it counts as high risk. */
export function countAsHigh(execution: RunExecution, step: Step): void {
  execution.facts.set(step.id, { findings: execution.facts.get(step.id)?.findings ?? 0, risk: 'high' });
}

/** A step that ended badly: the run continues with null, or starts nothing more. */
export function fail(execution: RunExecution, step: Step, path: string, error: RunError): Outcome {
  execution.scope.steps[step.id] = null;
  execution.failures.set(path, error);
  if (step.onError === 'continue') return { kind: 'done', output: null };
  execution.stop ??= { kind: 'failed', error: { key: error.key, values: error.values, step: path } };
  return STOP;
}

/** The outcome of a step that the journal knows to have ended, or null. A completed step never runs again. */
export function recall(execution: RunExecution, step: Step, path: string): Outcome | null {
  const row = execution.journal.get(path);
  if (row?.status === 'success') {
    const outcome = succeed(execution, step, row.output);
    if (isChanged(row)) countAsHigh(execution, step);
    return outcome;
  }
  if (row?.status === 'error') return fail(execution, step, path, row.error ?? { key: 'stepFailed', values: {} });
  // Only a dry run skips a step and has an output for it.
  if (row?.status === 'skipped') return succeed(execution, step, row.output);
  return null;
}
