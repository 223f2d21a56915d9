import { fromBase64, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { type Key, readKey, signatureHolds } from '#app/features/audit/verifier/keys.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

/** Keys of a log, each following the one before, the newest last. `pinned`: place of the one that somebody vouches for. */
export type KeyRing = { name: string; keys: Key[]; pinned: number };

const FORM = 'quorate-succession/1';

/**
 * The keys that may have signed heads of this log: the one that is pinned, and those that are tied to it by notes which both keys have
 * signed. `choose`: which of these the policy or the person pins; null: none. A note that does not hold ties nothing.
 */
export async function followKeys(
  { key: claimed, successions }: { key: string; successions: readonly string[] },
  choose: (known: readonly string[]) => string | null,
  say: Say,
): Promise<KeyRing> {
  const chain = await readChain(claimed, successions, say);
  const pinned = choose(chain)?.trim() ?? null;
  if (pinned === null) say('keyNotPinned', 'unknown', { key: claimed });
  const place = pinned === null ? 0 : chain.indexOf(pinned);
  if (pinned !== null) say(place < 0 ? 'keyDiffers' : 'keyPinned', place < 0 ? 'failed' : 'ok', { pinned, found: claimed });
  if (pinned !== null && place >= 0 && place < chain.length - 1)
    say('keysFollowed', 'ok', { count: chain.length - 1 - place, key: claimed });
  const keys = await Promise.all((pinned === null || place >= 0 ? chain : [pinned]).map((text) => readKey(text)));
  return { name: keys[0]?.name ?? '', keys, pinned: Math.max(0, place) };
}

/** All keys from the first to the claimed one; the claimed one alone where the notes do not lead to it. */
async function readChain(claimed: string, successions: readonly string[], say: Say): Promise<string[]> {
  const chain: string[] = [];
  let sound = true;
  for (const note of successions) {
    const { from, to, state } = await readSuccession(note);
    if (state === 'unsupported') say('signaturesUnsupported', 'unknown');
    if (state === 'forged') say('successionForged', 'failed', { from, to });
    const follows = (chain.length === 0 || chain.at(-1) === from) && !chain.includes(to) && from !== to;
    if (!follows) say('successionBroken', 'failed', { key: to });
    sound &&= state === 'signed' && follows;
    if (chain.length === 0) chain.push(from);
    chain.push(to);
  }
  if (chain.length > 0 && sound && chain.at(-1) !== claimed) {
    say('successionBroken', 'failed', { key: claimed });
    sound = false;
  }
  return chain.length > 0 && sound ? chain : [claimed];
}

/** Both keys have to sign: the old one says who follows it, and the new one that it is held by whoever says so. */
async function readSuccession(note: string): Promise<{ from: string; to: string; state: 'signed' | 'forged' | 'unsupported' }> {
  const at = note.lastIndexOf('\n\n');
  const text = note.slice(0, at + 1);
  const [form, from = '', to = '', ...rest] = text.split('\n');
  if (at < 0 || form !== FORM || rest.length !== 1) throw new Error('succession: not a note of this form');
  const [before, next] = [await readKey(from), await readKey(to)];
  if (before.name !== next.name) return { from, to, state: 'forged' };
  const results = await Promise.all([before, next].map((key) => isSignedBy(note.slice(at + 2), text, key)));
  const state = results.includes(null) ? 'unsupported' : results.includes(false) ? 'forged' : 'signed';
  return { from, to, state };
}

async function isSignedBy(lines: string, text: string, key: Key): Promise<boolean | null> {
  const signatures = signaturesBy(lines, key);
  const [first] = signatures;
  return first === undefined || signatures.length > 1 ? false : await signatureHolds(key.publicKey, first, utf8(text));
}

/** The signature lines of a note that this key signed. */
export function signaturesBy(lines: string, { name, id }: Key) {
  return lines
    .split('\n')
    .map((line) => /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/u.exec(line))
    .filter((line) => line !== null && line[1] === name)
    .map((line) => fromBase64(line?.[2] ?? ''))
    .filter((bytes) => toHex(bytes.slice(0, 4)) === id)
    .map((bytes) => bytes.slice(4));
}
