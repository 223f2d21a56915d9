import type { Clock, Log, NewId, Sealer } from '#app/domain/ports.ts';
import type { Explanation } from '#app/domain/runs/explanation.ts';
import type { RunQueue, RunRef } from '#app/domain/runs/run-queue.ts';
import type { JournalApproval, JournalStep, LocalStep, RunError } from '#app/domain/runs/run-state.ts';
import type { StepKind, StepStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import type { FrozenAgent } from '#app/domain/workflows/agent.ts';
import type { Step } from '#app/domain/workflows/workflow.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import type { Scope } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunConfigs } from '#app/engine/runs/run-config.ts';
import type { ClaimedRun, RunStore } from '#app/engine/runs/run-store.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';

export type DriveDeps = {
  store: RunStore;
  queue: RunQueue;
  configs: RunConfigs;
  callPeer: CallPeer;
  sealer: Sealer;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Has a connection checked whose tool is no longer as it was approved. */
  requestCheck?: ((workspaceId: string, connectionId: string) => Promise<void>) | undefined;
};

/** Why no further step of this drive may start. */
export type Stop = { kind: 'failed'; error: RunError } | { kind: 'cancelled' } | { kind: 'halted' } | { kind: 'fenced' };

/** What became of a step or a list of steps. `wait`: it goes on when something happens; `stop`: `drive.stop` says why. */
export type Outcome = { kind: 'done'; output: Json } | { kind: 'wait' } | { kind: 'stop' };
export const WAIT: Outcome = { kind: 'wait' };
export const STOP: Outcome = { kind: 'stop' };

/** One worker's hold on one run, from claim to close, park or loss. */
export type Drive = {
  deps: DriveDeps;
  run: RunRef;
  claim: ClaimedRun;
  scope: Scope;
  /** Outputs of all steps that ended, also of branches beside this one, by id: what a decision weighs. */
  outputs: Map<string, Json>;
  /** The journal as claimed, by path. */
  journal: ReadonlyMap<string, JournalStep>;
  approvals: readonly JournalApproval[];
  /** Local steps not yet written: they ride along with the next statement. By path, so that none is written twice at once. */
  unwritten: Map<string, LocalStep>;
  /** By id, the agents of the workspace that the version holds. */
  agents: Readonly<Record<string, FrozenAgent>>;
  /** What policies judge the run's calls as. */
  judgedAs: 'live' | 'test';
  /** What the calls at each path have used, all attempts together. */
  used: Map<string, { tokens: number; inputTokens: number; costMicros: number }>;
  /** Why a step ended badly, by path, also where the run goes on. */
  failures: Map<string, RunError>;
  /** Newest revision of the configuration that was seen. */
  revision: number;
  /** When to walk again by the clock, where something waits for a time. */
  wakeAt: Date | null;
  /** Steps that stand in line for a free place at a connection: path to connection. */
  inLine: Map<string, string>;
  stop: Stop | null;
  /** Aborted when the run is cancelled or this process lets go of it. */
  signal: AbortSignal;
};

export function openDrive(deps: DriveDeps, run: RunRef, claim: ClaimedRun, signal: AbortSignal): Drive {
  return {
    deps,
    run,
    claim,
    scope: { input: claim.input, steps: {}, run: { id: run.runId, mode: claim.mode, startedAt: claim.createdAt } },
    outputs: new Map(),
    journal: new Map(claim.steps.map((step) => [step.path, step])),
    approvals: claim.approvals,
    unwritten: new Map(),
    agents: {},
    judgedAs: claim.mode,
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
    failures: new Map(),
    revision: claim.revision,
    wakeAt: null,
    inLine: new Map(),
    stop: null,
    signal,
  };
}

/**
 * The same hold for one of several parallel branches: its expressions see what came before the branches and in its own, as on every
 * later walk, and not how far the others happen to be.
 */
export function holdApart(drive: Drive): Drive {
  return {
    ...drive,
    scope: { ...drive.scope, steps: { ...drive.scope.steps } },
    get stop() {
      return drive.stop;
    },
    set stop(stop) {
      drive.stop = stop;
    },
    get wakeAt() {
      return drive.wakeAt;
    },
    set wakeAt(at) {
      drive.wakeAt = at;
    },
    get revision() {
      return drive.revision;
    },
    set revision(revision) {
      drive.revision = revision;
    },
  };
}

/** The local steps in hand, which the caller now writes. */
export function takeUnwritten(drive: Drive): LocalStep[] {
  const rows = [...drive.unwritten.values()];
  drive.unwritten.clear();
  return rows;
}

/** Ends the place that a step holds at its connection, and queues the runs that wait for it. Lost on the way, they are found as stalled. */
export async function freeCall({ deps, run }: Drive, connectionId: string, path: string): Promise<void> {
  const granted = await deps.store.freeCall(run, connectionId, path);
  if (granted.length === 0) return;
  const { workspaceId } = run;
  await deps.queue.send(
    granted.map((runId) => ({ runId, workspaceId })),
    { readmits: true },
  );
}

export function wakeBy(drive: Drive, at: Date): void {
  if (drive.wakeAt === null || at < drive.wakeAt) drive.wakeAt = at;
}

export function writeLocal(
  drive: Drive,
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
  const input = row.input ?? null;
  const output = row.output ?? null;
  const ended = row.status !== 'processing';
  drive.unwritten.set(path, {
    path,
    stepId: step.id,
    kind: step.kind,
    name: step.name,
    status: row.status,
    reason: row.reason ?? null,
    input,
    output,
    error: row.error ?? null,
    inputDigest: input === null ? null : digestOf(input),
    outputDigest: output === null ? null : digestOf(output),
    startedAt: row.startedAt.toISOString(),
    finishedAt: ended ? drive.deps.clock.now().toISOString() : null,
    ...(row.agentId === undefined ? {} : { agentId: row.agentId }),
  });
}

/** A step that ended well: later expressions see its output. */
export function succeed(drive: Drive, step: Step, output: Json): Outcome {
  drive.scope.steps[step.id] = output;
  drive.outputs.set(step.id, output);
  return { kind: 'done', output };
}

/** A step that ended badly: the run goes on with null, or starts nothing more. */
export function fail(drive: Drive, step: Step, path: string, error: RunError): Outcome {
  drive.scope.steps[step.id] = null;
  drive.failures.set(path, error);
  if (step.onError === 'continue') return { kind: 'done', output: null };
  drive.stop ??= { kind: 'failed', error: { key: error.key, values: error.values, step: path } };
  return STOP;
}

/** What the journal already says of a step that has ended, or null. A completed step never runs again. */
export function recall(drive: Drive, step: Step, path: string): Outcome | null {
  const row = drive.journal.get(path);
  if (row?.status === 'success') return succeed(drive, step, row.output);
  if (row?.status === 'error') return fail(drive, step, path, row.error ?? { key: 'stepFailed', values: {} });
  if (row?.status === 'skipped') return succeed(drive, step, null);
  return null;
}
