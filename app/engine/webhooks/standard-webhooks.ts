import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds that a signed call may be old, or ahead by a clock that is wrong. */
export const WEBHOOK_WINDOW_SECONDS = 300;

/** The signed text of a call: its id, which makes it unique, its time in Unix seconds, and its body. */
export type SignedCall = { id: string; seconds: number; body: string };

/** The value of `webhook-signature` (Standard Webhooks 1.0, symmetric scheme). */
export function signWebhook(secret: string, { id, seconds, body }: SignedCall): string {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return `v1,${mac}`;
}

/** Whether one of the signatures of a header, parted by spaces, is right. Signatures of other versions are passed over. */
export function isWebhookSigned(secret: string, call: SignedCall, header: string): boolean {
  const expected = Buffer.from(signWebhook(secret, call));
  return header.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Secrets are `whsec_` and base64 of the key; older ones have the alphabet for addresses, which is read as well. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
