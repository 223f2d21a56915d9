import { canonicalJson } from '#app/domain/canonical-json.ts';
import type { Json } from '#app/domain/tables.ts';
import { PeerError, type PeerFailure } from '#app/engine/connections/peer.ts';
import type { RoutableCapability } from '#app/engine/routing/route.ts';
import { digestOf } from '#app/engine/runs/digest.ts';
import type { Drive } from '#app/engine/runs/drive.ts';
import { VALUE_MAX_BYTES } from '#app/engine/runs/evaluate.ts';
import type { RunConnection } from '#app/engine/runs/run-config.ts';

export type CallResult = { ok: true; output: Json; digest: string } | { ok: false; failure: PeerFailure };

/** A peer that does not answer in time may also not notice that it was aborted: this much later nobody waits for it. */
const ABORT_GRACE_MS = 250;

/** One attempt of one call. Never throws for what a peer does, never outlives the step's time, never answers what cannot be stored. */
export async function callCapability(
  drive: Drive,
  step: { timeoutSeconds: number },
  {
    path,
    target,
    connection,
    input,
  }: { path: string; target: RoutableCapability; connection: RunConnection; input: { [key: string]: Json } },
): Promise<CallResult> {
  const { deps, run } = drive;
  const { kind } = connection;
  if (kind !== 'mcp' && kind !== 'a2a')
    return { ok: false, failure: { key: 'connectionKindNotCalled', values: { connection: connection.name }, retryable: false } };
  const timeoutMs = step.timeoutSeconds * 1_000;
  const tooLate: PeerFailure = {
    key: 'peerTimeout',
    values: { seconds: step.timeoutSeconds },
    retryable: true,
  };
  const timeout = new AbortController();
  const signal = AbortSignal.any([drive.signal, timeout.signal]);
  let timer: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    grace = setTimeout(() => reject(new PeerError(tooLate)), ABORT_GRACE_MS);
  };
  timer = setTimeout(() => timeout.abort(), timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const credential =
      connection.credential === null
        ? null
        : deps.sealer.open(Buffer.from(connection.credential, 'base64'), `connections/${connection.id}`);
    const { output } = await Promise.race([
      deps.callPeer({
        peer: { kind, endpoint: connection.endpoint, credential },
        capability: { name: target.name, fingerprint: target.fingerprint },
        input,
        idempotencyKey: `${run.runId}/${path}`,
        timeoutMs,
        signal,
      }),
      over,
    ]);
    return store(output, connection);
  } catch (error) {
    if (timeout.signal.aborted && !drive.signal.aborted) return { ok: false, failure: tooLate };
    if (error instanceof PeerError) return { ok: false, failure: error.failure };
    if (drive.signal.aborted) return { ok: false, failure: { key: 'stepAbandoned', values: {}, retryable: true } };
    deps.log.error('a call ended in a defect', { runId: run.runId, path, error });
    return { ok: false, failure: { key: 'callFailed', values: { connection: connection.name }, retryable: false } };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener('abort', giveUp);
  }
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair in JSON; a value over the limit would be carried through every later step. */
function store(output: Json, connection: RunConnection): CallResult {
  const values = { connection: connection.name };
  let text: string;
  try {
    text = canonicalJson(output);
  } catch {
    return { ok: false, failure: { key: 'outputNotText', values, retryable: false } };
  }
  if (text.length > VALUE_MAX_BYTES)
    return {
      ok: false,
      failure: { key: 'outputTooLarge', values: { ...values, size: text.length, limit: VALUE_MAX_BYTES }, retryable: false },
    };
  if (text.includes('\\u0000')) return { ok: false, failure: { key: 'outputNotText', values, retryable: false } };
  return { ok: true, output, digest: digestOf(output) };
}
