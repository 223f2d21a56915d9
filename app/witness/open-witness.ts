import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, refuse } from '#app/witness/answer.ts';
import { isSigned } from '#app/witness/is-signed.ts';
import { openSuccession } from '#app/witness/open-succession.ts';
import { proveConsistency } from '#app/witness/prove-consistency.ts';
import { type Head, type LogKey, type Request, readHead, readLogKey, readRequest, signaturesOf } from '#app/witness/read-request.ts';
import { readText, replaceFile } from '#app/witness/whole-files.ts';

export type Witness = {
  /** Verifier key, as others pin it. */
  key: string;
  /** The body of `POST /add-checkpoint`. */
  add(body: string): Promise<Answer>;
  /** The body of `POST /add-succession`: another key of a log that it watches. From then on the key before counts no more. */
  follow(body: string): Promise<Answer>;
  /** The note that it signed last of a log, by the SHA-256 (hex) of its origin; null: none. */
  held(origin: string): Promise<string | null>;
};

/** The name or a key cannot be used, or the file of its own key is not one. */
export class WitnessSetupError extends Error {}

const COSIGNATURE = 0x04;

/**
 * Opens a witness on its directory, where it makes its key at the first time. One process a directory: what it has signed is compared and
 * stored one request after the other, and is on the disk before an answer leaves.
 */
export async function openWitness({
  directory,
  name,
  logKeys,
  now = () => new Date(),
}: {
  directory: string;
  name: string;
  logKeys: readonly string[];
  now?: () => Date;
}): Promise<Witness> {
  if (!/^[^\s+]{1,100}$/.test(name)) throw new WitnessSetupError('the name of a witness has no spaces and no plus');
  const given = logKeys.map((text) => {
    const key = readLogKey(text);
    if (key === null) throw new WitnessSetupError(`this is no public key of a log: ${text}`);
    return key;
  });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const succession = await openSuccession(directory, given);
  const signer = await ownKey(join(directory, 'key.pem'), name);
  const fileOf = (id: string) => join(directory, `${id}.checkpoint`);
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<Answer>) => {
    const answer = turn.then(work);
    turn = answer.catch(() => undefined);
    return answer;
  };
  return {
    key: signer.text,
    held: (id) => (/^[0-9a-f]{64}$/.test(id) ? readText(fileOf(id)) : Promise.resolve(null)),
    add: (body) => inTurn(() => answerTo(body, { logs: succession.logs(), signer, fileOf, now })),
    follow: (body) => inTurn(() => succession.add(body)),
  };
}

type Signer = { text: string; name: string; id: Buffer; privateKey: KeyObject };
type Parts = { logs: readonly LogKey[]; signer: Signer; fileOf(id: string): string; now(): Date };

async function answerTo(body: string, { logs, signer, fileOf, now }: Parts): Promise<Answer> {
  const request = readRequest(body);
  if (request === null) return refuse(400, 'not a request of tlog-witness');
  const { head, old } = request;
  // The logs of an instance have its name and a part of their own.
  const known = logs.filter(({ name }) => head.origin === name || head.origin.startsWith(`${name}/`));
  if (known.length === 0) return refuse(404, 'this log is not known here');
  if (!known.some((key) => isSigned(request, key))) return refuse(403, 'the key of this log has not signed it');
  if (old > head.size) return refuse(400, 'old is more than the size of the checkpoint');
  const file = fileOf(createHash('sha256').update(head.origin).digest('hex'));
  const before = await readText(file);
  const held = before === null ? null : readHead(before);
  if (before !== null && held === null) throw new Error(`the stored checkpoint of ${head.origin} cannot be read`);
  if ((held?.size ?? 0) !== old) return { status: 409, body: `${held?.size ?? 0}\n`, type: 'text/x.tlog.size' };
  if (!continues(held, request)) return refuse(422, 'this does not continue what was signed before');
  const line = cosign(signer, request, now());
  await replaceFile(file, `${request.text}\n${signaturesOf(request.note, known)}${line}`);
  return { status: 200, body: line };
}

/** Nothing was signed before: any head is a beginning, and says so by a proof of nothing. */
function continues(held: Head | null, { head, proof }: Request): boolean {
  return held === null ? proof.length === 0 : proveConsistency(held, head, proof);
}

function cosign({ name, id, privateKey }: Signer, { text }: Request, at: Date): string {
  const seconds = BigInt(Math.floor(at.getTime() / 1000));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(seconds);
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey);
  return `\u2014 ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
}

async function ownKey(file: string, name: string): Promise<Signer> {
  const kept = await readText(file);
  const pem = kept ?? generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  if (kept === null) await replaceFile(file, pem);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    throw new WitnessSetupError(`${file} holds no key`);
  }
  const raw = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url');
  if (raw.length !== 32) throw new WitnessSetupError(`${file} holds no Ed25519 key`);
  const encoded = Buffer.concat([Buffer.from([COSIGNATURE]), raw]);
  const id = createHash('sha256').update(`${name}\n`).update(encoded).digest().subarray(0, 4);
  return { text: `${name}+${id.toString('hex')}+${encoded.toString('base64')}`, name, id, privateKey };
}
