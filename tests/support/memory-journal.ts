import type { Json } from '#app/contracts/json.ts';
import type { Claim, ClaimedRun } from '#app/domain/runs/claim.ts';
import type { EndedItem, JournalStep, LocalStep, LoopState, RunError } from '#app/domain/runs/run-state.ts';
import type { JournalStep as HashedStep } from '#app/engine/audit/journal-hash.ts';
import type { RunStore, StepResult } from '#app/engine/runs/run-store.ts';
import type { PartialTexts } from '#app/engine/runs/waiting/partial-texts.ts';

/** What a test throws to end a worker in the middle. */
export class Killed extends Error {}

type Row = JournalStep & { decisionId: string | null };

/** The journal's functions in memory, for tests: the same answers, and a kill before or after any statement takes effect. */
export function createMemoryJournal() {
  const run = { status: 'pending', attempt: 0, output: null as Json, error: null as Json };
  const steps = new Map<string, Row>();
  const decisions = new Set<string>();
  const called = new Set<string>();

  function writeLocal(local: readonly LocalStep[]): void {
    for (const step of local) {
      const known = steps.get(step.path);
      if (
        known !== undefined &&
        !(
          (['branch', 'for_each', 'repeat', 'wait', 'try', 'sub_workflow', 'cleanup'].includes(known.kind) || step.agentId !== undefined) &&
          known.status === 'processing' &&
          (step.status !== 'processing' || known.kind === 'try')
        )
      )
        continue;
      steps.set(step.path, {
        ...blank(step.path, step.stepId, step.kind),
        ...known,
        status: step.status,
        reason: step.reason ?? known?.reason ?? null,
        input: known?.input ?? step.input,
        output: step.output,
        error: step.error,
        runAttempt: run.attempt,
        startedAt: known?.startedAt ?? step.startedAt,
      });
    }
  }

  function open(kill: { after: number; applied: boolean } | null): RunStore {
    let statements = 0;
    let dead = false;
    /** Everything that the worker still says after its kill is lost with it. */
    const statement = <T>(work: () => T): Promise<T> => {
      if (dead) return Promise.reject(new Killed());
      const strikes = kill !== null && statements++ === kill.after;
      if (strikes && !kill.applied) {
        dead = true;
        return Promise.reject(new Killed());
      }
      const answer = work();
      if (!strikes) return Promise.resolve(answer);
      dead = true;
      return Promise.reject(new Killed());
    };
    const holds = (attempt: number) => run.attempt === attempt && run.status === 'processing';
    const store = {
      claim: () =>
        statement(() => {
          if (run.status !== 'pending' && run.status !== 'processing' && run.status !== 'waiting')
            return claimed({ state: 'done' as const });
          run.status = 'processing';
          run.attempt += 1;
          return claimed(claimOf(run.attempt, [...steps.values()]));
        }),
      readItems: (_run: unknown, attempt: number, loop: string, from: number, limit: number) =>
        statement(() => {
          if (!holds(attempt)) throw new Error('the fence is gone');
          return endedItemsOf([...steps.values()], loop)
            .filter(({ index }) => index >= from)
            .slice(0, limit);
        }),
      readEvent: () => statement(() => null),
      findCalledWorkflow: (_run: unknown, _attempt: number, workflow: string) =>
        statement(() =>
          workflow === 'other'
            ? { state: 'found' as const, versionId: 'o', number: 1, name: 'Other', plan: 'enterprise' as const, trialEndsAt: null }
            : { state: 'unknown' as const },
        ),
      startCalledRun: (_run: unknown, attempt: number, path: string, _call: Json, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          if (called.has(path)) return { state: 'started' as const };
          writeLocal(local);
          called.add(path);
          return { state: 'started' as const };
        }),
      sendMessage: (_run: unknown, attempt: number, path: string, _message: unknown, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          return { state: 'sent' as const, recipients: path.length };
        }),
      keepFile: (_run: unknown, attempt: number, path: string, _file: unknown, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          return { state: 'kept' as const, id: path };
        }),
      findFile: () => statement(() => null),
      /** It has ended by the time it is asked for. */
      readCalledRun: (_run: unknown, _attempt: number, path: string) =>
        statement(() => (called.has(path) ? { runId: path, status: 'completed' as const, output: { from: path }, error: null } : null)),
      journal: (_run: unknown, attempt: number, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          return { state: 'ok' as const };
        }),
      startStep: (_run: unknown, attempt: number, _revision: number, raw: Json, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          const step = raw as unknown as {
            path: string;
            stepId: string;
            kind: 'tool';
            attempt: number;
            capabilityId: string;
            reason: JournalStep['reason'];
            input: Json;
            decision: { id: string; verdict: string };
            refusal: JournalStep['error'];
          };
          const known = steps.get(step.path);
          if (known !== undefined && known.status !== 'processing' && known.status !== 'pending')
            return { state: 'done' as const, status: known.status, output: known.output, error: known.error };
          decisions.add(step.decision.id);
          steps.set(step.path, {
            ...blank(step.path, step.stepId, step.kind),
            status: 'processing',
            attempt: step.attempt,
            runAttempt: attempt,
            capabilityId: step.capabilityId,
            reason: step.reason,
            input: step.input,
            decisionId: step.decision.id,
            ...(step.decision.verdict === 'deny' ? { status: 'error' as const, error: step.refusal } : {}),
          });
          if (step.decision.verdict === 'deny') return { state: 'refused' as const };
          return { state: 'started' as const };
        }),
      finishStep: (_run: unknown, attempt: number, path: string, result: StepResult, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          const step = steps.get(path);
          if (step !== undefined && step.runAttempt === attempt && step.status === 'processing')
            steps.set(path, {
              ...step,
              tokensIn: result.usage === undefined ? step.tokensIn : (step.tokensIn ?? 0) + result.usage.tokensIn,
              tokensOut: result.usage === undefined ? step.tokensOut : (step.tokensOut ?? 0) + result.usage.tokensOut,
              costMicros: result.usage?.costMicros == null ? step.costMicros : (step.costMicros ?? 0) + result.usage.costMicros,
              status: result.status,
              output: result.output ?? null,
              error: result.error ?? null,
            });
          return { state: 'ok' as const };
        }),
      /** It was answered by the time it is asked for a second time. */
      askHumanTask: (_run: unknown, attempt: number, raw: Json, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          const { path, stepId, input } = raw as unknown as { path: string; stepId: string; input: Json };
          const known = steps.get(path);
          steps.set(path, {
            ...blank(path, stepId, 'human_task'),
            ...known,
            runAttempt: attempt,
            input,
            reason: { key: 'taskStep', values: {} },
          });
          const task = { id: path, dueAt: '2027-01-01T00:00:00.000Z', answer: { yes: true }, by: 'A' };
          return { state: known === undefined ? ('waiting' as const) : ('answered' as const), ...task };
        }),
      beginCleanup: (_run: unknown, attempt: number, { row }: { row: LocalStep }, local: readonly LocalStep[]) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          if (!steps.has(row.path)) writeLocal([...local, row]);
          return { state: 'begun' as const, related: [] };
        }),
      leaveSteps: (
        _run: unknown,
        attempt: number,
        { paths, error }: { paths: readonly string[]; error: RunError },
        local: readonly LocalStep[],
      ) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          writeLocal(local);
          for (const step of steps.values())
            if (['pending', 'processing', 'waiting'].includes(step.status) && paths.some((at) => `${step.path}/`.startsWith(`${at}/`)))
              steps.set(step.path, { ...step, status: 'error', error });
          return { state: 'left' as const, related: [] };
        }),
      suspend: () =>
        statement(() => {
          run.status = 'waiting';
          return { state: 'parked' as const };
        }),
      settle: (_run: unknown, _attempt: number, local: readonly LocalStep[]) =>
        statement(() => {
          writeLocal(local);
          for (const step of steps.values()) if (step.status === 'processing') steps.set(step.path, { ...step, status: 'error' });
          return { steps: [...steps.values()].map(hashedOf), decisions: [] };
        }),
      close: (_run: unknown, attempt: number, end: Json) =>
        statement(() => {
          if (!holds(attempt)) return { state: 'fenced' as const };
          Object.assign(run, end);
          return { state: 'closed' as const };
        }),
    };
    return store as unknown as RunStore;
  }

  return {
    run,
    open,
    isStored: (path: string) => steps.get(path)?.status === 'success' || steps.get(path)?.status === 'error',
    outline: () =>
      [...steps.values()].map((step) => [step.path, step.status, step.output]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    startedWithoutDecision: () =>
      [...steps.values()]
        .filter(
          (step) =>
            step.kind === 'tool' &&
            step.status !== 'skipped' &&
            step.runAttempt > 0 &&
            (step.decisionId === null || !decisions.has(step.decisionId)),
        )
        .map((step) => step.path),
  };
}

function blank(path: string, stepId: string, kind: JournalStep['kind']): Row {
  return {
    path,
    stepId,
    kind,
    status: 'processing',
    attempt: 1,
    runAttempt: 0,
    connectionId: null,
    capabilityId: null,
    candidates: null,
    reason: null,
    input: null,
    output: null,
    error: null,
    approvalId: null,
    nextAttemptAt: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    tokensIn: null,
    tokensOut: null,
    costMicros: null,
    decisionId: null,
  };
}

const claimed = (claim: Claim) => ({ claim, limited: false, granted: [] });

function claimOf(attempt: number, steps: Row[]): ClaimedRun {
  return {
    state: 'claimed',
    attempt,
    versionId: 'v',
    artifactId: 'a',
    artifactName: 'A',
    mode: 'live',
    input: {},
    initiatorId: 'm',
    initiatorRoles: ['user'],
    versionAuthorId: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
    cancelled: false,
    waitingMs: 0,
    revision: 1,
    calls: steps.filter(({ capabilityId }) => capabilityId !== null).length,
    costMicros: steps.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
    steps: structuredClone(steps.filter((step) => !isEndedItem(step) && !steps.some((item) => isEndedItem(item) && surrounds(item, step)))),
    loops: steps
      .filter((step) => ['for_each', 'repeat'].includes(step.kind) && step.status === 'processing' && !ITEM.test(step.path))
      .flatMap(loopOf),
    approvals: [],
  };

  function loopOf({ path }: Row): LoopState[] {
    const items = endedItemsOf(steps, path);
    const first = items.find(({ error }) => error !== null);
    if (items.length === 0) return [];
    return [
      {
        path,
        ended: items.map(({ index }) => [index, index + 1]),
        ok: items.filter(({ error }) => error === null).length,
        failed: items.filter(({ error }) => error !== null).length,
        bytes: JSON.stringify(items.map(({ output }) => output)).length,
        error: first?.error == null ? null : { index: first.index, error: first.error },
      },
    ];
  }
}

const ITEM = /\/\d+$/;
const isEndedItem = ({ path, status }: JournalStep) => ITEM.test(path) && (status === 'success' || status === 'error');
const surrounds = (item: JournalStep, step: JournalStep) => step.path.startsWith(`${item.path}/`);

function endedItemsOf(steps: readonly JournalStep[], loop: string): EndedItem[] {
  return steps
    .filter((step) => isEndedItem(step) && step.path.replace(ITEM, '') === loop)
    .map(({ path, output, error, reason }) => ({ index: Number(path.slice(loop.length + 1)), output, error, reason }))
    .sort((a, b) => a.index - b.index);
}

function hashedOf(step: Row): HashedStep {
  const at = new Date(0);
  return {
    path: step.path,
    step_id: step.stepId,
    kind: step.kind,
    name: step.stepId,
    status: step.status,
    attempt: step.attempt,
    run_attempt: step.runAttempt,
    idempotency_key: step.path,
    protocol: null,
    connection_id: null,
    capability_id: null,
    capability_fingerprint: null,
    candidates: null,
    reason: null,
    input: null,
    output: null,
    error: null,
    input_digest: null,
    output_digest: null,
    decision_id: step.decisionId,
    approval_id: null,
    started_at: at,
    finished_at: at,
  };
}

/** Nobody looks on. */
export const NO_TEXTS: PartialTexts = { begin: () => ({ add: () => undefined, end: () => undefined }), stop: () => undefined };
