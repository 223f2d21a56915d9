import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';

/**
 * Logs what nobody expected, and returns all that a caller learns about it, in English as protocols are: its own words may speak of tables,
 * addresses and other people's data.
 */
export function reportDefect(
  error: unknown,
  { key }: Pick<Caller, 'key'>,
  { log, requestId }: Pick<ServingDeps, 'log' | 'requestId'>,
): string {
  log.error('a served call failed', { request: requestId, key: key.id, error });
  return `Something went wrong. Reference: ${requestId}.`;
}
