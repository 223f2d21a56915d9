import { createCipheriv, createDecipheriv, createHash, createPrivateKey, createPublicKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import type { LogKeyPair, LogSigner, Sealer } from '#app/contracts/ports.ts';
import { successionNote } from '#app/domain/audit/succession.ts';

/**
 * A key for one purpose, derived from the instance's secret (HKDF-SHA-256, RFC 5869). Purposes name their version, so
 * that one can be replaced without touching the others.
 */
export function deriveKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'quorate', purpose, bytes));
}

const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/**
 * AES-256-GCM: format (1 byte), key id (4), nonce (12, fresh each time), tag (16), sealed text. `context` is bound in as
 * associated data, so that a value copied into another row does not open. Opening with another key fails closed.
 */
export function createSealer(secret: string): Sealer {
  const key = deriveKey(secret, 'seal/v1');
  const keyId = deriveKey(secret, 'seal/v1/id', KEY_ID_BYTES);
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const head = Buffer.concat([Buffer.from([FORMAT]), keyId, nonce]);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.concat([head, Buffer.from(context, 'utf8')]));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([head, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const head = bytes.subarray(0, HEAD_BYTES);
      if (bytes.length < HEAD_BYTES + TAG_BYTES || head[0] !== FORMAT) throw new Error('sealed value has an unknown format');
      if (!head.subarray(1, 1 + KEY_ID_BYTES).equals(keyId)) throw new Error('sealed with another QUORATE_SECRET_KEY');
      const decipher = createDecipheriv('aes-256-gcm', key, head.subarray(1 + KEY_ID_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.concat([head, Buffer.from(context, 'utf8')]));
      decipher.setAuthTag(bytes.subarray(HEAD_BYTES, HEAD_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

// RFC 8410: what stands before the 32 bytes of an Ed25519 private key in PKCS #8.
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Ed25519 (RFC 8032) keys of the instance's log; the same secret always gives the same ones. Each salt makes one more key, which follows the
 * ones before: who has the secret alone cannot make it.
 */
export function createLogSigner(secret: string, name: string, salts: readonly string[] = []): LogSigner {
  const first = logKey(secret, 'log-signer/v1');
  const keys = [first, ...salts.map((salt) => logKey(secret, `log-signer/v2/${salt}`))];
  return {
    ...(keys.at(-1) ?? first),
    name,
    older: keys.slice(0, -1),
    successions: keys.slice(1).map((next, n) => successionNote(name, keys[n] ?? first, next, sha256)),
  };
}

function logKey(secret: string, purpose: string): LogKeyPair {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, deriveKey(secret, purpose)]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { publicKey: new Uint8Array(spki.subarray(-32)), sign: (message) => new Uint8Array(sign(null, message, key)) };
}

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
