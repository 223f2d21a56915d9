import { createHash, createHmac } from 'node:crypto';
import type { GuardedFetch, LogSigner } from '#app/domain/ports.ts';

const TIMEOUT_MS = 15_000;

/**
 * The secret that a workspace's webhooks are signed with, for its admins to give to the receiver. Derived from the log's
 * key, whose signatures are deterministic (RFC 8032), so that it need not be stored; the text signed can be no checkpoint.
 */
export function webhookSecret(signer: Pick<LogSigner, 'sign'>, workspaceId: string): string {
  return `whsec_${createHash('sha256')
    .update(signer.sign(new TextEncoder().encode(`quorate webhook secret v1 ${workspaceId}`)))
    .digest('base64url')}`;
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA-256 over "<t>.<body>">`: the time is signed too, so that an old call cannot be sent again. */
export function webhookSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Posts one webhook. Throws unless the answer is 2xx; never follows a redirect, because the signature is for one address. */
export async function sendWebhook(
  fetch: GuardedFetch,
  call: { id: string; url: string; body: string; secret: string; at: Date },
): Promise<void> {
  const response = await fetch(call.url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      'quorate-delivery': call.id,
      'quorate-signature': webhookSignature(call.secret, call.body, call.at),
    },
    body: call.body,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}
