/** Seconds that a signed call may be old, or ahead by a clock that is wrong. */
export const HOOK_WINDOW_SECONDS = 300;
export const HOOK_SIGNATURE_HEADER = 'quorate-signature';

/** Reads `t=<unix seconds>,v1=<hex HMAC-SHA-256 over "<t>.<body>">`; null for what has another form. */
export function readHookSignature(header: string | null): { seconds: number; mac: string } | null {
  const [, seconds, mac] = /^t=(\d{1,11}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  return seconds === undefined || mac === undefined ? null : { seconds: Number(seconds), mac };
}
