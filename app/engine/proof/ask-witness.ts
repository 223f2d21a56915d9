import { createHash, createPublicKey, verify } from 'node:crypto';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import type { TreeHead } from '#app/domain/audit/checkpoint.ts';
import { type Cosignature, cosignedText, findCosignature } from '#app/domain/proof/cosignature.ts';
import type { VerifierKey } from '#app/domain/proof/verifier-key.ts';

/** Of one call. Three in a row end before another process may ask about the same log. */
const TIMEOUT_MS = 8_000;
/** The clock of a witness may be so far ahead of ours. */
const CLOCK_MS = 5 * 60_000;
const MOST_BYTES = 16_384;

/** A witness as it is called: `url` without a slash at the end. */
export type Witness = { key: VerifierKey; url: string; network: WorkspaceNetwork };

/**
 * `signed`: the line is its own and signs this head. `stale`: it holds a head of `size`, and wants a proof from there. `refused`: it does not
 * find that this head continues the one that it holds. `badAnswer`: the answer is none of the protocol, or its signature does not hold.
 */
export type WitnessAnswer =
  | { kind: 'signed'; cosignature: Cosignature }
  | { kind: 'stale'; size: number }
  | { kind: 'refused' | 'unknownLog' | 'keyRefused' | 'badAnswer' | 'away' };

type Asked = { head: TreeHead; note: string; old: number; proof: readonly Uint8Array[] };

/** Shows a witness a head with the proof that it continues the head of `old` entries (c2sp.org/tlog-witness). Never throws. */
export async function askWitness(fetch: GuardedFetch, witness: Witness, asked: Asked, now: Date): Promise<WitnessAnswer> {
  const hashes = asked.proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('');
  const answer = await call(fetch, witness, '/add-checkpoint', {
    method: 'POST',
    body: `old ${asked.old}\n${hashes}\n${asked.note}`,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
  if (answer === null) return { kind: 'away' };
  switch (answer.status) {
    case 200:
      return readSigned(answer.text, witness.key, asked.head, now);
    case 404:
      return { kind: 'unknownLog' };
    case 403:
      return { kind: 'keyRefused' };
    case 409:
      return /^\d{1,15}\n$/.test(answer.text) ? { kind: 'stale', size: Number(answer.text) } : { kind: 'badAnswer' };
    case 422:
      return { kind: 'refused' };
    default:
      return { kind: answer.status >= 500 || answer.status === 429 ? 'away' : 'badAnswer' };
  }
}

function readSigned(text: string, key: VerifierKey, head: TreeHead, now: Date): WitnessAnswer {
  const cosignature = findCosignature(text, key);
  if (cosignature === null || cosignature.seconds === 0 || cosignature.seconds * 1000 > now.getTime() + CLOCK_MS)
    return { kind: 'badAnswer' };
  const message = Buffer.from(cosignedText(head, cosignature.seconds));
  const holds = verify(null, message, publicKeyOf(key.publicKey), cosignature.signature);
  return holds ? { kind: 'signed', cosignature } : { kind: 'badAnswer' };
}

export const publicKeyOf = (raw: Uint8Array) =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') } });

/** The note that a witness holds of a log; null: it gives none. */
export async function askHeldHead(fetch: GuardedFetch, witness: Witness, origin: string): Promise<string | null> {
  const answer = await call(fetch, witness, `/${createHash('sha256').update(origin).digest('hex')}/checkpoint`, { method: 'GET' });
  return answer?.status === 200 ? answer.text : null;
}

/**
 * Tells a witness which keys follow the one that it knows; false: it took none. No part of tlog-witness: others than ours do not know it, and
 * whoever runs them adds the new key.
 */
export async function tellSuccessions(fetch: GuardedFetch, witness: Witness, successions: readonly string[]): Promise<boolean> {
  let taken = false;
  for (const body of successions) {
    const init = { method: 'POST', body, headers: { 'content-type': 'text/plain; charset=utf-8' } };
    const answer = await call(fetch, witness, '/add-succession', init);
    taken ||= answer?.status === 200;
  }
  return taken;
}

/** Null: it did not answer, or with more than an answer of the protocol has. */
async function call(
  fetch: GuardedFetch,
  { url, network }: Witness,
  path: string,
  init: RequestInit,
): Promise<{ status: number; text: string } | null> {
  try {
    const response = await fetch(`${url}${path}`, {
      ...init,
      redirect: 'manual',
      privateNetwork: network,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return text.length > MOST_BYTES ? { status: 0, text: '' } : { status: response.status, text };
  } catch {
    // Whatever kept it from answering, it is asked again soon; the page and the log say that it is away.
    return null;
  }
}
