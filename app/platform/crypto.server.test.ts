import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLogSigner, createSealer, deriveKey } from '#app/platform/crypto.server.ts';

describe('sealing', () => {
  const sealer = createSealer('a secret of the instance');

  it('opens what it sealed, and seals the same text differently each time', () => {
    const sealed = sealer.seal('bearer ñ', 'connections/1');
    expect(sealer.open(sealed, 'connections/1')).toBe('bearer ñ');
    expect(Buffer.from(sealer.seal('bearer ñ', 'connections/1')).equals(sealed)).toBe(false);
  });

  it('refuses another row, a changed byte, another key and a cut value', () => {
    const sealed = sealer.seal('x', 'connections/1');
    expect(() => sealer.open(sealed, 'connections/2')).toThrow();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 'connections/1')).toThrow();
    }
    expect(() => createSealer('another').open(sealed, 'connections/1')).toThrow('QUORATE_SECRET_KEY');
    expect(() => sealer.open(sealed.subarray(0, 20), 'connections/1')).toThrow();
  });
});

describe('the key of the log', () => {
  it('is the same for the same secret, and signs what its public key verifies', () => {
    const signer = createLogSigner('s', 'localhost/quorate');
    expect(createLogSigner('s', 'x').publicKey).toEqual(signer.publicKey);
    expect(createLogSigner('t', 'x').publicKey).not.toEqual(signer.publicKey);
    const message = Buffer.from('checkpoint');
    const key = createPublicKey({
      key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), signer.publicKey]),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, message, key, signer.sign(message))).toBe(true);
  });

  it('shares nothing with the sealing key', () => {
    expect(deriveKey('s', 'seal/v1').equals(deriveKey('s', 'log-signer/v1'))).toBe(false);
  });
});
