import { setTimeout as pause } from 'node:timers/promises';
import { visibleJson } from '#app/domain/connections/hidden-text.ts';
import { isRole } from '#app/domain/people/roles.ts';
import type { Explanation } from '#app/domain/runs/explanation.ts';
import { riskFactsOf } from '#app/domain/runs/risk.ts';
import { backoffSeconds, lostAttempts, type RunError } from '#app/domain/runs/run-state.ts';
import type { Json } from '#app/domain/tables.ts';
import { literalAs, propertySchema } from '#app/domain/workflows/mapping.ts';
import type { AgentStep, ModelStep, ToolStep } from '#app/domain/workflows/workflow.ts';
import { isExpression, stripMark } from '#app/domain/workflows/workflow-check.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';
import { personalDataKinds } from '#app/engine/personal-data/find-personal-data.ts';
import { decide } from '#app/engine/policy/decide.ts';
import type { DecisionRequest, DecisionResult } from '#app/engine/policy/decision-request.ts';
import { type RoutableCapability, type Route, route } from '#app/engine/routing/route.ts';
import {
  type Drive,
  fail,
  freeCall,
  type Outcome,
  STOP,
  succeed,
  takeUnwritten,
  WAIT,
  wakeBy,
  writeLocal,
} from '#app/engine/runs/drive.ts';
import { ExpressionError, evaluate } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunConfig, RunConnection } from '#app/engine/runs/run-config.ts';
import { approvalRefusal } from '#app/engine/runs/steps/approval-step.ts';
import { callCapability, type Kept } from '#app/engine/runs/steps/call-capability.ts';
import { actionDigest, digestOf } from '#app/engine/runs/steps/digest.ts';
import { askOutcome, asksForOutcome, isLostForGood, mayRepeat, settleOutcome } from '#app/engine/runs/steps/unknown-outcome.ts';

export type EffectStep = ToolStep | AgentStep | ModelStep;
/** A call whose input is known already, and what else may speak against it. An input from elsewhere is never read as a mapping. */
export type GivenCall = { input: { [key: string]: Json }; refuse: (config: RunConfig) => Explanation | null };

/** A wait up to this long is sat out; a longer one lets go of the run until then. */
const SIT_OUT_MS = 3_000;
/** Calls of one step that may vanish with their worker before it is given up. */
const MAX_LOST_ATTEMPTS = 50;
const POLICY_APPROVAL_HOURS = 72;
/** How often a peer may refuse a call for load before that counts as a failure. */
const MAX_REFUSALS = 20;
/** How often a step may find its configuration out of date before it starts. */
const MAX_STALE = 20;

type Progress = {
  attempt: number;
  error: RunError | null;
  capabilityId: string | null;
  candidates: Json | null;
  reason: Explanation | null;
  input: { [key: string]: Json } | null;
};

/** A call of a tool, an agent or a model: resolve, decide, start, call, keep. Each attempt has its own decision; all share one idempotency key. */
export async function walkEffect(drive: Drive, step: EffectStep, path: string, given: GivenCall | null = null): Promise<Outcome> {
  const row = drive.journal.get(path);
  const open = row?.approvalId == null ? undefined : drive.approvals.find((approval) => approval.id === row.approvalId);
  if (row?.status === 'waiting' && open?.status === 'pending' && new Date(open.dueAt) > drive.deps.clock.now()) {
    wakeBy(drive, new Date(open.dueAt));
    return WAIT;
  }
  const progress: Progress = {
    attempt: row?.attempt ?? 0,
    error: row?.error ?? null,
    capabilityId: row?.capabilityId ?? null,
    candidates: row?.candidates ?? null,
    reason: row?.reason ?? null,
    input: isRecord(row?.input) ? row.input : null,
  };
  // a step that waited for its approval has not been attempted
  if (row?.status === 'waiting' || (row?.status === 'pending' && row.nextAttemptAt === null))
    progress.attempt = Math.max(0, progress.attempt - 1);
  if (row?.status === 'waiting' && row.error?.unknown === true) {
    const settled = await settleOutcome(drive, step, path);
    if (settled !== 'again' && settled !== 'none') return settled;
    if (settled === 'again') {
      progress.attempt = row.attempt;
      const { key, values, failures = 1, refusals = 0 } = row.error;
      progress.error = { key, values, failures, refusals };
    }
  }
  if (row?.status === 'processing' && asksForOutcome(step)) {
    const config = await drive.deps.configs.get(drive.run.workspaceId, drive.revision);
    if (isLostForGood(drive, config, step, row)) {
      const target = row.capabilityId === null ? undefined : config.capabilities.get(row.capabilityId);
      return askOutcome(drive, step, path, {
        attempt: row.attempt,
        error: { key: 'callLost', values: {}, failures: row.attempt },
        input: progress.input ?? {},
        target,
        connection: target === undefined ? undefined : config.connections.get(target.connectionId),
        policyVersion: config.policies.policyVersion,
      });
    }
  }
  if (row?.nextAttemptAt != null && !(await sitOut(drive, new Date(row.nextAttemptAt)))) return drive.stop === null ? WAIT : STOP;
  for (;;) {
    const outcome = await attempt(drive, step, path, progress, given);
    if (outcome !== 'again') return outcome;
  }
}

async function attempt(
  drive: Drive,
  step: EffectStep,
  path: string,
  progress: Progress,
  given: GivenCall | null,
): Promise<Outcome | 'again'> {
  const endUnstarted = (routed: Route, error: RunError, startedAt: Date) =>
    progress.attempt > 0 ? giveUp(drive, step, path, error) : endBeforeStart(drive, step, path, routed, error, startedAt);
  const { deps, run, claim } = drive;
  const startedAt = deps.clock.now();
  if (lostAttempts(progress.attempt, progress.error) >= MAX_LOST_ATTEMPTS)
    return giveUp(drive, step, path, { key: 'stepLostTooOften', values: { attempts: progress.attempt } });
  for (let stale = 0; stale < MAX_STALE; stale += 1) {
    const config = await deps.configs.get(run.workspaceId, drive.revision);
    const routed = choose(drive, config, step, progress);
    const target = routed.chosen;
    const connection = target === null ? undefined : config.connections.get(target.connectionId);
    if (target === null || connection === undefined)
      return endUnstarted(routed, { key: routed.reason.key, values: routed.reason.values }, startedAt);
    const refusal = connection.paused
      ? { key: 'connectionPaused', values: { connection: connection.name } }
      : (given?.refuse(config) ?? null);
    if (refusal !== null) return endUnstarted(routed, refusal, startedAt);
    let input: { [key: string]: Json };
    let decision: Decided;
    const leftOut: string[] = [];
    try {
      input = progress.input ?? readable(step, given?.input ?? (await mapInput(drive, step, target.inputSchema, leftOut)));
      decision = decideCall(drive, config, step, path, target, connection, input);
    } catch (error) {
      const why = error instanceof ExpressionError ? error.explanation : inputFault(error);
      if (why === null) throw error;
      return endUnstarted(routed, why, startedAt);
    }
    progress.input = input;
    if (leftOut.length > 0) routed.reason = { ...routed.reason, values: { ...routed.reason.values, leftOut: leftOut.sort().join(', ') } };
    const started = await deps.store.startStep(
      run,
      claim.attempt,
      config.revision,
      {
        path,
        stepId: step.id,
        kind: step.kind,
        name: step.name,
        attempt: progress.attempt + 1,
        key: `${run.runId}/${path}`,
        protocol: connection.kind === 'mcp' || connection.kind === 'a2a' ? connection.kind : null,
        connectionId: connection.id,
        capabilityId: target.id,
        fingerprint: target.fingerprint,
        candidates: routed.candidates as unknown as Json,
        reason: routed.reason,
        input,
        inputDigest: digestOf(input),
        decision: decision.row,
        ...(decision.approval === null ? {} : { approval: decision.approval }),
        refusal: decision.row.reason,
      },
      takeUnwritten(drive),
    );
    if (started.state === 'stale') {
      drive.revision = Math.max(drive.revision + 1, started.revision);
      continue;
    }
    progress.capabilityId = target.id;
    progress.candidates = routed.candidates as unknown as Json;
    progress.reason = routed.reason;
    switch (started.state) {
      case 'fenced':
      case 'halted':
      case 'cancelled':
        drive.stop ??= { kind: started.state };
        return STOP;
      case 'waiting':
        wakeBy(drive, new Date(started.dueAt));
        return WAIT;
      case 'full':
        drive.inLine.set(path, connection.id);
        return WAIT;
      case 'refused':
        return fail(drive, step, path, decision.row.reason);
      case 'rejected':
      case 'expired':
      case 'withdrawn':
        return giveUp(drive, step, path, approvalRefusal(started.state, started));
      case 'done':
        return started.status === 'success'
          ? succeed(drive, step, started.output)
          : fail(drive, step, path, started.error ?? { key: 'stepFailed', values: {} });
      case 'started':
        progress.attempt += 1;
        return call(drive, step, path, progress, { target, connection, input, config, place: started.place === true });
    }
  }
  // the configuration changes faster than a step can start: let go and come back
  wakeBy(drive, new Date(deps.clock.now().getTime() + 1_000));
  return WAIT;
}

async function call(
  drive: Drive,
  step: EffectStep,
  path: string,
  progress: Progress,
  {
    target,
    connection,
    input,
    config,
    place,
  }: { target: RoutableCapability; connection: RunConnection; input: { [key: string]: Json }; config: RunConfig; place: boolean },
): Promise<Outcome | 'again'> {
  const { deps, run, claim } = drive;
  const result = await callCapability(drive, step, { path, target, connection, input, privateNetwork: config.privateNetwork });
  // let go of, the step keeps its place and is called again; cancelled, its place is found to be free
  if (place && !drive.signal.aborted) await freeCall(drive, connection.id, path);
  countUse(drive, path, result.kept);
  if (result.ok) {
    const { output } = result;
    const finished = await deps.store.finishStep(
      run,
      claim.attempt,
      path,
      { status: 'success', output, ...(output === null ? {} : { outputDigest: result.digest }), error: null, ...result.kept },
      takeUnwritten(drive),
    );
    if (finished.state !== 'ok') {
      drive.stop ??= { kind: finished.state };
      return STOP;
    }
    return succeed(drive, step, output);
  }
  if (drive.signal.aborted) {
    // cancelled: the closing says what became of the step; let go: another worker takes it up
    drive.stop ??= { kind: 'cancelled' };
    return STOP;
  }
  const { happened } = result.failure;
  const { error, comesBack, earliest } = await weighFailure(drive, connection, progress.error, result.failure);
  const repeatable = happened === 'no' || mayRepeat(config, step, target.id);
  progress.error = error;
  if (happened === 'unknown' && !repeatable) {
    if (asksForOutcome(step)) {
      const { policyVersion } = config.policies;
      return askOutcome(
        drive,
        step,
        path,
        { attempt: progress.attempt, error: progress.error, input, target, connection, policyVersion },
        result.kept,
      );
    }
    progress.error.unknown = true;
  }
  if (!comesBack && (!result.failure.retryable || !repeatable || error.failures > step.retries))
    return giveUp(drive, step, path, error, result.kept);
  const wait = comesBack ? 0 : backoffSeconds(step.backoffSeconds, error.failures);
  const next = new Date(Math.max(earliest.getTime(), deps.clock.now().getTime() + wait * 1_000));
  const kept = await deps.store.finishStep(
    run,
    claim.attempt,
    path,
    { status: 'pending', error: progress.error, nextAttemptAt: next.toISOString(), ...result.kept },
    takeUnwritten(drive),
  );
  if (kept.state !== 'ok') {
    drive.stop ??= { kind: kept.state };
    return STOP;
  }
  if (await sitOut(drive, next)) return 'again';
  return drive.stop === null ? WAIT : STOP;
}

/**
 * Counts a failed attempt. A peer that asks for fewer calls holds back all of its connection; a call that it refused for load has not been
 * attempted, and `comesBack` whatever the step's retries, though not for ever. `earliest`: as the peer asked.
 */
async function weighFailure(
  { deps, run }: Drive,
  connection: RunConnection,
  before: RunError | null,
  { key, values, happened, retryAfterSeconds }: PeerFailure,
): Promise<{ error: RunError & { failures: number }; comesBack: boolean; earliest: Date }> {
  const refused = key === 'peerBusy' && happened === 'no';
  let earliest = deps.clock.now();
  if (refused || retryAfterSeconds !== undefined) {
    const paused = await deps.store.pauseCalls(run.workspaceId, connection.id, retryAfterSeconds ?? null);
    earliest = new Date(Math.max(paused.getTime(), earliest.getTime() + (retryAfterSeconds ?? 0) * 1_000));
  }
  const refusals = (before?.refusals ?? 0) + (refused ? 1 : 0);
  const comesBack = refused && refusals <= MAX_REFUSALS;
  const failures = (before?.failures ?? 0) + (comesBack ? 0 : 1);
  return { error: { key, values, failures, ...(refusals > 0 && { refusals }) }, comesBack, earliest };
}

function countUse(drive: Drive, path: string, { usage }: Kept): void {
  if (usage === undefined) return;
  const before = drive.used.get(path) ?? { tokens: 0, inputTokens: 0, costMicros: 0 };
  drive.used.set(path, {
    tokens: before.tokens + usage.tokensIn + usage.tokensOut,
    inputTokens: before.inputTokens + usage.tokensIn,
    costMicros: before.costMicros + (usage.costMicros ?? 0),
  });
}

/** Ends a step that has a row. */
async function giveUp(drive: Drive, step: EffectStep, path: string, error: RunError, kept: Kept = {}): Promise<Outcome> {
  const finished = await drive.deps.store.finishStep(
    drive.run,
    drive.claim.attempt,
    path,
    { status: 'error', error, ...kept },
    takeUnwritten(drive),
  );
  if (finished.state !== 'ok') {
    drive.stop ??= { kind: finished.state };
    return STOP;
  }
  return fail(drive, step, path, error);
}

/** Ends a step that never got as far as a decision: nothing was going to happen, so there was nothing to decide. */
async function endBeforeStart(
  drive: Drive,
  step: EffectStep,
  path: string,
  routed: Route,
  error: RunError,
  startedAt: Date,
): Promise<Outcome> {
  if (drive.journal.has(path)) return giveUp(drive, step, path, error);
  writeLocal(drive, step, path, { status: 'error', reason: routed.reason, error, startedAt });
  return fail(drive, step, path, error);
}

/** The target of the first attempt stays the target: the idempotency key means something to that peer alone. */
function choose(drive: Drive, config: RunConfig, step: EffectStep, progress: Progress): Route {
  const known = progress.capabilityId === null ? undefined : config.capabilities.get(progress.capabilityId);
  if (known !== undefined && progress.reason !== null)
    return { chosen: known, candidates: (progress.candidates ?? []) as unknown as Route['candidates'], reason: progress.reason };
  const began = performance.now();
  const routed = route(config.index, drive.deps.configs.records(drive.run.workspaceId), {
    step: step.kind,
    connection: step.connection,
    capability: step.capability,
    task: step.task === '' ? step.name : step.task,
    inputs: Object.keys(step.input).filter((name) => step.input[name]?.trim() !== ''),
  });
  const tookMs = Math.round((performance.now() - began) * 1_000) / 1_000;
  return { ...routed, reason: { ...routed.reason, values: { ...routed.reason.values, tookMs } } };
}

/** `leftOut` gets the names of the inputs whose expression found nothing. */
export async function mapInput(
  drive: Drive,
  step: EffectStep,
  schema: Json | null,
  leftOut: string[] = [],
): Promise<{ [key: string]: Json }> {
  const input: { [key: string]: Json } = {};
  for (const [name, value] of Object.entries(step.input)) {
    // an empty field of the form says nothing: what the schema requires is then missing, as the editor has told
    if (value.trim() === '') continue;
    if (!isExpression(value)) {
      input[name] = literalAs(value, propertySchema(schema, name));
      continue;
    }
    const found = await evaluate(stripMark(value), drive.scope);
    // nothing found: the input is left out, so that the schema's own word on what is required counts
    if (found === null) leftOut.push(name);
    else input[name] = found;
  }
  return step.kind === 'model' ? { ...input, ...modelOptions(step) } : input;
}

/** Models and agents read what a person reads: characters that are not drawn never reach them. A tool gets its input to the byte. */
function readable(step: EffectStep, input: { [key: string]: Json }): { [key: string]: Json } {
  return step.kind === 'tool' ? input : visibleJson(input);
}

/** What the step itself says of the call; part of the input, so that the decision and an approval cover it. */
function modelOptions(step: ModelStep): { [key: string]: Json } {
  return {
    ...(step.maxTokens === null ? {} : { maxTokens: step.maxTokens }),
    ...(step.temperature === null ? {} : { temperature: step.temperature }),
    ...(step.schema.trim() === '' ? {} : { schema: JSON.parse(step.schema) as Json }),
  };
}

const ACTIONS = { tool: 'call_tool', agent: 'call_agent', model: 'call_model' } as const satisfies Record<EffectStep['kind'], string>;

type Decided = {
  row: Omit<DecisionResult, 'policyVersion'> & { id: string; action: string; actionDigest: string; policyVersion: string };
  approval: { [key: string]: Json } | null;
};

function decideCall(
  drive: Drive,
  config: RunConfig,
  step: EffectStep,
  path: string,
  target: RoutableCapability,
  connection: RunConnection,
  input: { [key: string]: Json },
): Decided {
  const { deps, run, claim } = drive;
  const subject = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    stepPath: path,
    connection: { id: connection.id, name: connection.name, slug: connection.slug, kind: connection.kind },
    capability: { id: target.id, name: target.name, kind: target.kind, fingerprint: target.fingerprint },
    input,
    policyVersion: config.policies.policyVersion,
  };
  const digest = actionDigest(subject);
  const { risk, findings } = riskFactsOf([...drive.outputs.values()]);
  const request: DecisionRequest = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    mode: drive.judgedAs,
    initiator: { id: claim.initiatorId, roles: claim.initiatorRoles.filter(isRole) },
    action: ACTIONS[step.kind],
    connection: {
      id: connection.id,
      slug: connection.slug,
      kind: connection.kind,
      personalDataAllowed: connection.personalDataAllowed,
      builtin: connection.endpoint.startsWith('builtin:'),
    },
    capability: { id: target.id, name: target.name, kind: target.kind, state: target.state },
    facts: { personalData: personalDataKinds(input), risk, findings },
  };
  let decision = decide(config.policies, request);
  let approval: { [key: string]: Json } | null = null;
  if (decision.verdict === 'require_approval') {
    approval = {
      id: deps.newId(),
      eventId: deps.newId(),
      title: step.name,
      subject: subject as unknown as Json,
      reason: decision.reason,
      risk,
      quorum: 1,
      dueHours: POLICY_APPROVAL_HOURS,
    };
    const given = drive.approvals.find(
      (open) => open.path === path && open.digest === digest && (open.status === 'approved' || open.status === 'consumed'),
    );
    if (given !== undefined) decision = decide(config.policies, { ...request, approval: { id: given.id, approvedBy: given.approvedBy } });
  }
  return { row: { ...decision, id: deps.newId(), action: request.action, actionDigest: digest }, approval };
}

/** Input that cannot be looked through or hashed does not leave: too long for the detector, or no text at all. */
function inputFault(error: unknown): Explanation | null {
  if (error instanceof RangeError) return { key: 'inputTooLarge', values: {} };
  if (error instanceof TypeError) return { key: 'inputNotText', values: {} };
  return null;
}

/** True when the time has come; false when the run is let go until then. */
async function sitOut(drive: Drive, until: Date): Promise<boolean> {
  const left = until.getTime() - drive.deps.clock.now().getTime();
  if (left > SIT_OUT_MS) {
    wakeBy(drive, until);
    return false;
  }
  if (left <= 0) return true;
  try {
    await pause(left, undefined, { signal: drive.signal });
    return true;
  } catch {
    drive.stop ??= { kind: 'cancelled' };
    return false;
  }
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
