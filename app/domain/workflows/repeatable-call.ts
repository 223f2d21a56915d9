import type { Json } from '#app/contracts/json.ts';

/**
 * The reaction to a call of which nobody knows whether it took effect. `fail`: the step fails and the call is not made again; `repeat`:
 * it is made again, and may then have happened twice; `ask`: the call is made at most once, and a person says what happened.
 */
export const UNKNOWN_OUTCOMES = ['fail', 'repeat', 'ask'] as const;
export type UnknownOutcome = (typeof UNKNOWN_OUTCOMES)[number];

/** The part of a capability's definition that says what a call does: a tool's annotations (MCP), or the effect of a service's (ours). */
export type CallHints = { annotations: Json; effect: Json };

/**
 * Whether the same call may be made twice without doing anything twice: it only reads, its peer says that repeating it is harmless, it is
 * built in, or someone stated for the connection that it honours the idempotency key. MCP's default is a tool that writes.
 */
export function isRepeatable(call: {
  kind: 'tool' | 'skill' | 'model';
  hints: CallHints;
  connection: { endpoint: string; idempotent: boolean };
}): boolean {
  if (call.kind === 'model' || call.connection.idempotent || call.connection.endpoint.startsWith('builtin:')) return true;
  const { annotations, effect } = call.hints;
  if (effect === 'reads') return true;
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return false;
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}
