import { createHash } from 'node:crypto';

export type Head = { origin: string; size: number; root: Buffer };
/** A request of tlog-witness. `text` is the signed part of the note, its last newline with it. */
export type Request = { old: number; proof: Buffer[]; note: string; text: string; head: Head };
export type LogKey = { name: string; id: string; publicKey: Buffer };

const MOST_HASHES = 63;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** `old <size>`, up to 63 hashes, an empty line, a signed checkpoint. Null: anything else. */
export function readRequest(body: string): Request | null {
  const blank = body.indexOf('\n\n');
  if (blank < 0) return null;
  const [first = '', ...hashes] = body.slice(0, blank).split('\n');
  const [, old = ''] = /^old (\d{1,16})$/.exec(first) ?? [];
  const proof = hashes.map(readHash);
  const note = body.slice(blank + 2);
  const head = readHead(note);
  const end = note.indexOf('\n\n');
  if (!SIZE.test(old) || !Number.isSafeInteger(Number(old)) || hashes.length > MOST_HASHES || head === null || !note.endsWith('\n'))
    return null;
  const found = proof.filter((hash) => hash !== null);
  return found.length < proof.length ? null : { old: Number(old), proof: found, note, text: note.slice(0, end + 1), head };
}

/** The head that a note states. Extension lines are signed with it and say nothing here. */
export function readHead(note: string): Head | null {
  const end = note.indexOf('\n\n');
  const [origin = '', size = '', encoded = ''] = end < 0 ? [] : note.slice(0, end).split('\n');
  const root = readHash(encoded);
  if (origin === '' || !SIZE.test(size) || !Number.isSafeInteger(Number(size)) || root === null) return null;
  return { origin, size: Number(size), root };
}

function readHash(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text ? bytes : null;
}

/** `<name>+<id>+<base64 of 0x01 and 32 bytes>`, as an instance writes it into log-key.pub. */
export function readLogKey(text: string): LogKey | null {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? [];
  if (name === undefined || id === undefined || encoded === undefined) return null;
  const bytes = Buffer.from(encoded, 'base64');
  const own = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex').slice(0, 8);
  return bytes.length === 33 && bytes[0] === 1 && own === id ? { name, id, publicKey: bytes.subarray(1) } : null;
}

/** The signature lines of these keys, with their newlines; every other line of a note may be anything. */
export function signaturesOf(note: string, keys: readonly LogKey[]): string {
  const lines = note.slice(note.indexOf('\n\n') + 2).split('\n');
  const mine = lines.filter((line) => {
    const [, name, encoded = ''] = /^\u2014 (\S+) ([A-Za-z0-9+/=]{1,200})$/u.exec(line) ?? [];
    const id = Buffer.from(encoded, 'base64').subarray(0, 4).toString('hex');
    return keys.some((key) => key.name === name && key.id === id);
  });
  return mine.map((line) => `${line}\n`).join('');
}

const SUCCESSION = 'quorate-succession/1';

/** The keys that a succession names, and its text, which both have to have signed. Null: anything else. */
export function readSuccession(note: string): { before: LogKey; next: LogKey; text: string } | null {
  const end = note.indexOf('\n\n');
  const [form, from = '', to = '', ...rest] = end < 0 ? [] : note.slice(0, end).split('\n');
  const [before, next] = [readLogKey(from), readLogKey(to)];
  if (form !== SUCCESSION || rest.length > 0 || before === null || next === null || before.name !== next.name) return null;
  return { before, next, text: note.slice(0, end + 1) };
}
