import type { Json } from '#app/contracts/json.ts';
import type { TokenUsage } from '#app/contracts/models.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { costMicros, modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import type { Frame } from '#app/engine/connections/frames.ts';
import { PeerError, type PeerFailure } from '#app/engine/connections/peer.ts';
import { holderOf } from '#app/engine/connections/sign-ins/sign-in-holder.ts';
import { withBearer } from '#app/engine/connections/sign-ins/with-bearer.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import { VALUE_MAX_BYTES } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunConnection } from '#app/engine/runs/run-config.ts';
import type { RunExecution } from '#app/engine/runs/run-execution.ts';
import type { StepResult } from '#app/engine/runs/run-store.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';

/** The parts of a call that the journal keeps beside its result. */
export type Kept = Pick<StepResult, 'usage' | 'frames'>;
export type CallResult = ({ ok: true; output: Json; digest: string } | { ok: false; failure: PeerFailure }) & { kept: Kept };
type Answer = { ok: true; output: Json; digest: string } | { ok: false; failure: PeerFailure };

/** A peer that does not answer in time may also ignore the abort: after this it is no longer waited for. */
const ABORT_GRACE_MS = 250;
/** The peer's definition differs from the approved one. */
const CHANGED: ReadonlySet<string> = new Set(['peerToolChanged', 'peerToolRemoved']);

/**
 * One attempt of one call. Never throws for a peer's failure, never outlives the step's time, never returns a value that cannot be stored.
 */
export async function callCapability(
  execution: RunExecution,
  step: { timeoutSeconds: number },
  {
    path,
    target,
    connection,
    input,
    privateNetwork,
  }: {
    path: string;
    target: RoutableCapability;
    connection: RunConnection;
    input: { [key: string]: Json };
    privateNetwork: WorkspaceNetwork;
  },
): Promise<CallResult> {
  const { deps, run } = execution;
  const { kind, settings } = connection;
  const frames: Frame[] | undefined = execution.claim.mode === 'test' ? [] : undefined;
  const kept = (usage: TokenUsage | undefined): Kept => ({
    ...(usage === undefined ? {} : { usage: usageOf(connection, target.name, usage) }),
    ...(frames === undefined || frames.length === 0 ? {} : { frames: frames as unknown as Json }),
  });
  const failed = (failure: PeerFailure): CallResult => ({ ok: false, failure, kept: kept(failure.usage) });
  const timeoutMs = step.timeoutSeconds * 1_000;
  const tooLate: PeerFailure = {
    key: 'peerTimeout',
    values: { seconds: step.timeoutSeconds },
    retryable: true,
    happened: 'unknown',
  };
  const timeout = new AbortController();
  const signal = AbortSignal.any([execution.signal, timeout.signal]);
  let timer: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    grace = setTimeout(() => reject(new PeerError(tooLate)), ABORT_GRACE_MS);
  };
  // Where a schema holds the answer, what comes may turn out to be none.
  const text = deps.texts.begin(run, path, { shown: input.schema === undefined });
  timer = setTimeout(() => timeout.abort(), timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const call = (credential: string | null) =>
      deps.callPeer({
        peer: { kind, endpoint: connection.endpoint, credential, settings, privateNetwork },
        capability: { name: target.name, fingerprint: target.fingerprint },
        input,
        idempotencyKey: `${run.runId}/${path}`,
        timeoutMs,
        signal,
        onText: text.add,
        ...(frames === undefined ? {} : { frames }),
      });
    const { output, usage } = await Promise.race([withCredential(execution, connection, privateNetwork, call), over]);
    return { ...store(output, connection), kept: kept(usage) };
  } catch (error) {
    if (timeout.signal.aborted && !execution.signal.aborted) return failed(tooLate);
    if (error instanceof PeerError) {
      if (CHANGED.has(error.failure.key)) await reportChange(execution, connection);
      return failed(error.failure);
    }
    if (execution.signal.aborted) return failed({ key: 'stepAbandoned', values: {}, retryable: true, happened: 'unknown' });
    deps.log.error('a call ended in a defect', { runId: run.runId, path, error });
    return failed({ key: 'callFailed', values: { connection: connection.name }, retryable: false, happened: 'unknown' });
  } finally {
    text.end();
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener('abort', giveUp);
  }
}

/** Calls with the connection's key, or with the token of whoever the call is made for. @throws PeerError */
function withCredential<T>(
  { deps, run, claim }: RunExecution,
  connection: RunConnection,
  privateNetwork: WorkspaceNetwork,
  call: (credential: string | null) => Promise<T>,
): Promise<T> {
  const signIn = signInOf(connection.settings);
  if (signIn === null || deps.signIns === undefined) {
    const { credential } = connection;
    return call(credential === null ? null : deps.sealer.open(Buffer.from(credential, 'base64'), `connections/${connection.id}`));
  }
  const holder = { workspaceId: run.workspaceId, connectionId: connection.id, userId: holderOf(signIn, claim) };
  return withBearer(deps.signIns, holder, { privateNetwork, host: signIn.host }, call);
}

/** The connection's page shows it at once, and people are notified; the step has failed in any case. */
async function reportChange({ deps, run }: RunExecution, connection: RunConnection): Promise<void> {
  try {
    await deps.requestCheck?.(run.workspaceId, connection.id);
  } catch (error) {
    deps.log.error('a changed connection was not checked', { connection: connection.id, error });
  }
}

/** Tokens with what they cost by the price that the connection has now. */
function usageOf(connection: RunConnection, model: string, usage: TokenUsage): NonNullable<StepResult['usage']> {
  const settings = modelSettingsSchema.safeParse(connection.settings);
  const price = settings.success && Object.hasOwn(settings.data.prices, model) ? settings.data.prices[model] : undefined;
  return {
    tokensIn: usage.inputTokens,
    tokensOut: usage.outputTokens,
    costMicros: price === undefined ? null : costMicros(price, usage),
  };
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair in JSON; a value over the limit would be carried through every later step. */
function store(output: Json, connection: RunConnection): Answer {
  const values = { connection: connection.name };
  let text: string;
  try {
    text = canonicalJson(output);
  } catch {
    return { ok: false, failure: { key: 'outputNotText', values, retryable: false, happened: 'unknown' } };
  }
  if (text.length > VALUE_MAX_BYTES)
    return {
      ok: false,
      failure: {
        key: 'outputTooLarge',
        values: { ...values, size: text.length, limit: VALUE_MAX_BYTES },
        retryable: false,
        happened: 'unknown',
      },
    };
  if (text.includes('\\u0000')) return { ok: false, failure: { key: 'outputNotText', values, retryable: false, happened: 'unknown' } };
  return { ok: true, output, digest: digestOf(output) };
}
