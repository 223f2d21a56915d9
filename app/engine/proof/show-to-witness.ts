import { hex } from '#app/domain/audit/audit-leaf.ts';
import { consistencyParts, hashPart, rootPart } from '#app/domain/audit/merkle.ts';
import { signedBy } from '#app/domain/audit/succession.ts';
import { readHead } from '#app/domain/proof/signed-head.ts';
import { readVerifierKey } from '#app/domain/proof/verifier-key.ts';
import { readNodes } from '#app/engine/audit/read-nodes.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { askHeldHead, askWitness, tellSuccessions, type Witness, type WitnessAnswer } from '#app/engine/proof/ask-witness.ts';
import type { Word } from '#app/engine/proof/keep-word.ts';
import { newestNote, type Watched } from '#app/engine/proof/read-watched.ts';
import type { WatchDeps } from '#app/engine/proof/watch-deps.ts';

/** Shows the newest head to one witness, and returns its word. */
export async function showToWitness(deps: WatchDeps, watched: Watched, { key: text, url }: { key: string; url: string }): Promise<Word> {
  const key = readVerifierKey(text, sha256);
  const word = (fault: Word['fault'], said: string | null = null): Word => ({ kind: 'witness', party: text, fault, said });
  if (key === null) return word('badAnswer');
  const witness: Witness = { key, url: url.replace(/\/+$/, ''), network: watched.network };
  const known = watched.signedSizes.get(text) ?? 0;
  // It signed more than there is now: the log went back, and no proof leads there.
  if (known > watched.head.size) return (await holdsAnother(deps, watched, witness)) ?? word('disagrees');
  let answer = await showFrom(deps, watched, witness, known);
  // It knows this log from elsewhere, or its answer was lost.
  if (answer.kind === 'stale' && answer.size !== known && answer.size <= watched.head.size)
    answer = await showFrom(deps, watched, witness, answer.size);
  // It may know the key before, from which each succession leads on.
  if (answer.kind === 'keyRefused' && (await tellSuccessions(deps.fetch, witness, deps.signer.successions)))
    answer = await showFrom(deps, watched, witness, known);
  switch (answer.kind) {
    case 'signed':
      return { ...word(null), signed: { line: answer.cosignature.line, at: new Date(answer.cosignature.seconds * 1000) } };
    case 'stale':
    case 'refused':
      return (await holdsAnother(deps, watched, witness)) ?? word('disagrees');
    default:
      return word(answer.kind);
  }
}

async function showFrom(deps: WatchDeps, watched: Watched, witness: Witness, old: number): Promise<WitnessAnswer> {
  const { workspaceId, head, note } = watched;
  const parts = consistencyParts(old, head.size);
  const proof = await deps.asWorker(workspaceId, async (db) => {
    const lookup = await readNodes(db, workspaceId, parts.flat());
    return parts.map((part) => hashPart(sha256, part, lookup));
  });
  return await askWitness(deps.fetch, witness, { head, note, old, proof }, deps.now());
}

/**
 * Why a witness that refuses does so, by the head that it holds: signed by this instance and of another log, it disagrees, which is proof of
 * two histories; one that this log contains, or that nobody here signed, is no reason to refuse. Null: it shows none.
 */
async function holdsAnother({ fetch, signer, asWorker }: WatchDeps, watched: Watched, witness: Witness): Promise<Word | null> {
  const { workspaceId, head } = watched;
  const said = await askHeldHead(fetch, witness, head.origin);
  const held = said === null ? null : readHead(said);
  if (said === null || held === null) return null;
  const party = witnessText(watched, witness);
  const isOurs = held.origin === head.origin && signedBy(said, held, signer, sha256) !== null;
  if (!isOurs) return { kind: 'witness', party, fault: 'badAnswer', said: null };
  const contains = await asWorker(workspaceId, async (db) => {
    const newest = readHead((await newestNote(db, workspaceId)) ?? '');
    if (newest === null || held.size > newest.size) return false;
    const part = rootPart(held.size);
    return hex(hashPart(sha256, part, await readNodes(db, workspaceId, part))) === hex(held.root);
  });
  return { kind: 'witness', party, fault: contains ? 'badAnswer' : 'disagrees', said: contains ? null : said };
}

const witnessText = ({ settings }: Watched, { key }: Witness) =>
  settings.witnesses.find((one) => readVerifierKey(one.key, sha256)?.id === key.id)?.key ?? key.name;
