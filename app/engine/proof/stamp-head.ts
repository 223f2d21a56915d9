import { createHash, randomBytes } from 'node:crypto';
import { checkpointText } from '#app/domain/audit/checkpoint.ts';
import type { ProofSettings } from '#app/domain/proof/proof-settings.ts';
import { stampRequest } from '#app/domain/proof/time-stamp.ts';
import { checkStamp } from '#app/engine/proof/check-stamp.ts';
import type { Word } from '#app/engine/proof/keep-word.ts';
import type { Watched } from '#app/engine/proof/read-watched.ts';
import type { WatchDeps } from '#app/engine/proof/watch-deps.ts';

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 65_536;

/** Asks the authority for a time stamp on the text of the newest head (RFC 3161 over HTTP, section 3.4), and returns its word. */
export async function stampHead(
  { fetch }: WatchDeps,
  { head, network }: Watched,
  { url, policy, ca }: NonNullable<ProofSettings['authority']>,
): Promise<Word> {
  const word = (fault: Word['fault']): Word => ({ kind: 'authority', party: url, fault, said: null });
  const text = checkpointText(head);
  const nonce = new Uint8Array(randomBytes(8));
  const request = stampRequest(createHash('sha256').update(text).digest(), nonce, policy);
  let answer: Uint8Array;
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      privateNetwork: network,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Buffer.from(request),
    });
    answer = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) return word(response.status >= 500 || response.status === 429 ? 'away' : 'badAnswer');
  } catch {
    // As of a witness: it is asked again soon, and the page says that it is away.
    return word('away');
  }
  const at = answer.length > MOST_BYTES ? null : checkStamp(answer, { text, nonce, policy, ca });
  return at === null ? word('badAnswer') : { ...word(null), stamped: { answer, at } };
}
