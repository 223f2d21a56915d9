const LONGEST_WAIT_SECONDS = 3_600;

/** Retry-After (RFC 9110, 10.2.3) in whole seconds, an hour at most: seconds or a date. Null: not said, or not readable. */
export function retryAfterSeconds(text: string | null | undefined, now = Date.now()): number | null {
  if (text === null || text === undefined) return null;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_SECONDS, Math.max(0, Math.ceil(seconds))) : null;
}
