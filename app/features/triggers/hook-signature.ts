/** The header of webhooks that were set up before Standard Webhooks. It covers no id, so that its signature is the only key of a call. */
export const EARLIER_SIGNATURE_HEADER = 'quorate-signature';

/** Reads `t=<unix seconds>,v1=<hex HMAC-SHA-256 over "<t>.<body>">`; null for any other form. */
export function readEarlierSignature(header: string | null): { seconds: number; mac: string } | null {
  const [, seconds, mac] = /^t=(\d{1,11}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  return seconds === undefined || mac === undefined ? null : { seconds: Number(seconds), mac };
}
