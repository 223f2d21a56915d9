import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

const SIZE = 1_000_000;
const INDEX = 123_456;
const ORIGIN = 'log.example';
const WORKSPACE = '0198c0de-0000-7000-8000-000000000001';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const parent = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.from([1]), left, right);

/**
 * Evidence of one entry of a log of a million, whose other entries are any: hashes beside its way to the root are random, and the root is what
 * they give (RFC 9162 section 2.1.3.2). With the key that signed it.
 */
export function oneOfAMillion(): { bundle: Record<string, unknown>; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const encoded = Buffer.concat([Buffer.from([1]), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')]);
  const keyId = sha256(Buffer.from(`${ORIGIN}\n`), encoded).subarray(0, 4);
  const body = {
    actor: { kind: 'member', id: 'u1', name: 'Ada' },
    action: 'workflow.published',
    resource: { kind: 'workflow', id: 'w1', name: 'Refunds' },
    payload: { note: 'x'.repeat(2_000) },
  };
  const salt = randomBytes(32);
  const bodyDigest = sha256(salt, Buffer.from(canonicalJson(body))).toString('hex');
  const event = { id: 'e1', workspace: WORKSPACE, at: '2026-11-27T00:00:00.000Z' };
  const leaf = sha256(Buffer.from([0]), Buffer.from(canonicalJson({ v: 1, ...event, body: bodyDigest })));
  const { root, inclusion } = climb(leaf);
  const text = `${ORIGIN}/${WORKSPACE}\n${SIZE}\n${root.toString('base64')}\n`;
  const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]).toString('base64');
  const key = `${ORIGIN}+${keyId.toString('hex')}+${encoded.toString('base64')}`;
  const bundle = {
    format: 'quorate-evidence/1',
    subject: { kind: 'event', id: event.id },
    log: { origin: `${ORIGIN}/${WORKSPACE}`, key },
    checkpoints: [{ size: SIZE, note: `${text}\n\u2014 ${ORIGIN} ${signature}\n`, consistency: [] }],
    events: [
      {
        ...event,
        body,
        salt: salt.toString('hex'),
        bodyDigest,
        leafIndex: INDEX,
        inclusion: inclusion.map((hash) => hash.toString('hex')),
      },
    ],
  };
  return { bundle, key };
}

function climb(leaf: Buffer): { root: Buffer; inclusion: Buffer[] } {
  const inclusion: Buffer[] = [];
  let [node, index, last] = [leaf, INDEX, SIZE - 1];
  while (last > 0) {
    const isRight = index % 2 === 1;
    // A lone node at the end of a level rises as it is.
    if (isRight || index < last) {
      const beside = randomBytes(32);
      inclusion.push(beside);
      node = isRight ? parent(beside, node) : parent(node, beside);
    }
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return { root: node, inclusion };
}
