import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Callbacks } from '#app/contracts/ports.ts';
import { deriveKey } from '#app/platform/crypto.server.ts';

const SIGNATURE_BYTES = 24;

/** Signs addresses by HMAC-SHA-256 over the run and the step, cut to 192 bits. The same secret always gives the same address. */
export function createCallbacks(secret: string, origin: string): Callbacks {
  const key = deriveKey(secret, 'callbacks/v1');
  const sign = (runId: string, stepId: string) =>
    createHmac('sha256', key).update(`${runId}/${stepId}`).digest().subarray(0, SIGNATURE_BYTES);
  return {
    addressOf: (runId, stepId) => `${origin}/callbacks/${runId}/${stepId}/${sign(runId, stepId).toString('base64url')}`,
    isSigned(runId, stepId, signature) {
      const given = Buffer.from(signature, 'base64url');
      return given.length === SIGNATURE_BYTES && timingSafeEqual(given, sign(runId, stepId));
    },
  };
}
