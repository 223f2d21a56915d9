import { createHash } from 'node:crypto';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch, LogSigner } from '#app/contracts/ports.ts';
import { signWebhook } from '#app/engine/webhooks/standard-webhooks.ts';

const TIMEOUT_MS = 15_000;

/**
 * The secret that a workspace's webhooks are signed with, for its admins to give to the receiver. Derived from the log's
 * first key, which stays what it is when others follow, and whose signatures are deterministic (RFC 8032), so that it need not be stored; the text signed can be no checkpoint.
 */
export function webhookSecret(signer: Pick<LogSigner, 'sign' | 'older'>, workspaceId: string): string {
  const [first = signer] = signer.older;
  return `whsec_${createHash('sha256')
    .update(first.sign(new TextEncoder().encode(`quorate webhook secret v1 ${workspaceId}`)))
    .digest('base64')}`;
}

/** Posts one webhook, signed as Standard Webhooks 1.0 has it: an attempt that is repeated has the same id. Throws unless the answer is 2xx; never follows a redirect, because the signature is for one address. */
export async function sendWebhook(
  fetch: GuardedFetch,
  call: { id: string; url: string; body: string; secret: string; at: Date; privateNetwork: WorkspaceNetwork },
): Promise<void> {
  const seconds = Math.floor(call.at.getTime() / 1000);
  const response = await fetch(call.url, {
    method: 'POST',
    redirect: 'manual',
    privateNetwork: call.privateNetwork,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      'webhook-id': call.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(call.secret, { id: call.id, seconds, body: call.body }),
    },
    body: call.body,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}
