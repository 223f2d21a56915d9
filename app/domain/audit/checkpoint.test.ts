import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkpointNote, checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
/** Key 1 of RFC 8032 section 7.1. */
const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(12));
const signer = { name: 'log.example', publicKey, sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) };

describe('checkpoint', () => {
  it('derives key ids and vkeys as the key of the Go checksum database does', () => {
    // The published key of sum.golang.org, taken apart and put together again.
    const key = Buffer.from('Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8', 'base64').subarray(1);
    expect(vkey('sum.golang.org', new Uint8Array(key), sha256)).toBe(
      'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
    );
  });

  it('writes a note that its key verifies over exactly the text', () => {
    const note = checkpointNote({ origin: checkpointOrigin(signer.name, 'w1'), size: 3, root: sha256(new Uint8Array(0)) }, signer, sha256);
    const [text, line] = note.split('\n\n') as [string, string];
    expect(`${text}\n`).toBe('log.example/w1\n3\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n');
    const match = /^— log\.example (\S+)\n$/u.exec(line);
    const signature = Buffer.from(match?.[1] ?? '', 'base64');
    expect(signature.length).toBe(4 + 64);
    expect(signature.subarray(0, 4).toString('hex')).toBe(vkey(signer.name, publicKey, sha256).split('+')[1]);
    expect(verify(null, Buffer.from(`${text}\n`), createPublicKey(privateKey), signature.subarray(4))).toBe(true);
  });

  it('refuses names that would break the signature line', () => {
    for (const name of ['', 'a b', 'a+b', 'a\nb']) expect(() => vkey(name, publicKey, sha256)).toThrow(RangeError);
  });
});
