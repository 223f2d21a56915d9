import { join } from 'node:path';
import { type Answer, refuse } from '#app/witness/answer.ts';
import { isSigned } from '#app/witness/is-signed.ts';
import { type LogKey, readSuccession } from '#app/witness/read-request.ts';
import { readText, replaceFile } from '#app/witness/whole-files.ts';

/**
 * The keys that heads are signed with: those that were given, or what has followed them. Each succession is on the disk before it counts, and
 * a key that was followed counts no more, so whoever has stolen it finds no witness. The first succession of a key is the only one.
 */
export async function openSuccession(
  directory: string,
  given: readonly LogKey[],
): Promise<{ logs(): readonly LogKey[]; add(note: string): Promise<Answer> }> {
  const file = join(directory, 'successions.json');
  const kept = readKept((await readText(file)) ?? '[]', file);
  let logs = given;
  for (const note of kept) logs = followed(logs, note) ?? logs;
  return {
    logs: () => logs,
    async add(note) {
      const read = readSuccession(note);
      if (read === null) return refuse(400, 'not a succession');
      if (logs.some(({ id, name }) => id === read.next.id && name === read.next.name)) return { status: 200, body: '' };
      const next = followed(logs, note);
      if (next === null) return refuse(403, 'not signed by the key that is known here and by the one that is to follow');
      await replaceFile(file, `${JSON.stringify([...kept, note], null, 2)}\n`);
      kept.push(note);
      logs = next;
      return { status: 200, body: '' };
    },
  };
}

function readKept(text: string, file: string): string[] {
  const kept: unknown = JSON.parse(text);
  if (!Array.isArray(kept) || !kept.every((note) => typeof note === 'string')) throw new Error(`${file} holds no successions`);
  return kept;
}

/** Null: the note does not follow one of these keys. */
function followed(logs: readonly LogKey[], note: string): readonly LogKey[] | null {
  const read = readSuccession(note);
  if (read === null) return null;
  const { before, next, text } = read;
  const known = logs.find((key) => key.name === before.name && key.id === before.id && key.publicKey.equals(before.publicKey));
  if (known === undefined || !isSigned({ note, text }, known) || !isSigned({ note, text }, next)) return null;
  return logs.map((key) => (key === known ? next : key));
}
