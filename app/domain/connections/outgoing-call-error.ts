/**
 * Why an outgoing HTTP call had no answer of its own. `refused` covers an address that is private as well as a name that
 * does not resolve, so that a stranger learns nothing about the network behind this instance.
 */
export const OUTGOING_CALL_FAILURES = [
  'refused',
  'unreachable',
  'timeout',
  'too_large',
  'too_many_events',
  'redirected',
  'aborted',
] as const;
export type OutgoingCallFailure = (typeof OUTGOING_CALL_FAILURES)[number];

/** Events that one stream may have: each is parsed and checked, which costs far more than its bytes (5 MB of `data:{}` took 8 s). */
export const MAX_STREAM_EVENTS = 10_000;

/** Thrown by a guarded fetch. Its message names neither address nor network; `cause` may, and goes to the log alone. */
export class OutgoingCallError extends Error {
  readonly failure: OutgoingCallFailure;
  /** False: no connection came about, so the other side got nothing of the call. */
  readonly connected: boolean;
  constructor(failure: OutgoingCallFailure, options: { cause?: unknown; connected?: boolean } = {}) {
    super(`outgoing call: ${failure}`, options);
    this.name = 'OutgoingCallError';
    this.failure = failure;
    this.connected = options.connected ?? true;
  }
}

/** The OutgoingCallError in a chain of causes, or null: client libraries wrap what their fetch throws. */
export function outgoingCallErrorIn(error: unknown): OutgoingCallError | null {
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof OutgoingCallError) return current;
    current = current.cause;
  }
  return null;
}
