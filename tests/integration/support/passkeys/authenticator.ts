/**
 * An authenticator of a stranger's making (WebAuthn, level 3): authenticator data, COSE keys and signatures by Node and a CBOR library that
 * the product does not have. What an answer says can be forged place by place.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { encode } from 'cborg';

export type Algorithm = 'ES256' | 'ES384' | 'EdDSA' | 'RS256';
type Options = { challenge: string; user?: { id: string }; rp?: { id: string }; rpId?: string };

/** Places of an answer that a forger writes otherwise. */
export type Forgery = {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  /** Without user verification. */
  unverified?: boolean;
  /** Without user presence. */
  absent?: boolean;
  counter?: number;
  userHandle?: string | null;
  key?: KeyObject;
  credential?: Buffer;
  /** COSE's number of another algorithm than that of the key. */
  algorithm?: number;
};

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const NUMBERS: Record<Algorithm, number> = { ES256: -7, ES384: -35, EdDSA: -8, RS256: -257 };

export class Authenticator {
  readonly credential = randomBytes(32);
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #algorithm: Algorithm;
  readonly #origin: string;
  counter = 0;
  /** Which account it was made for. */
  userHandle: string | null = null;

  constructor(origin: string, algorithm: Algorithm = 'ES256') {
    this.#origin = origin;
    this.#algorithm = algorithm;
    this.#keys =
      algorithm === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : algorithm === 'EdDSA'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'P-384' });
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey;
  }

  /** The answer to `navigator.credentials.create`, as JSON. */
  make(options: Options, forged: Forgery = {}): string {
    this.userHandle = options.user?.id ?? null;
    const client = this.#clientData('webauthn.create', options, forged);
    const credential = forged.credential ?? this.credential;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credential.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, credential, this.#coseKey(forged.algorithm)]);
    const authData = Buffer.concat([this.#authData(options, forged, 0x40), attested]);
    const attestationObject = encode({ fmt: 'none', attStmt: {}, authData: new Uint8Array(authData) });
    const id = text(credential);
    const response = { clientDataJSON: text(client), attestationObject: text(attestationObject), transports: ['internal', 'hybrid'] };
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  /** The answer to `navigator.credentials.get`, as JSON. */
  answer(options: Options, forged: Forgery = {}): string {
    const client = this.#clientData('webauthn.get', options, forged);
    const authData = this.#authData(options, forged, 0);
    const signed = Buffer.concat([authData, sha256(client)]);
    const hash = this.#algorithm === 'EdDSA' ? null : this.#algorithm === 'ES384' ? 'sha384' : 'sha256';
    const signature = sign(hash, signed, forged.key ?? this.#keys.privateKey);
    const id = text(forged.credential ?? this.credential);
    const userHandle = forged.userHandle === undefined ? this.userHandle : forged.userHandle;
    const response = {
      clientDataJSON: text(client),
      authenticatorData: text(authData),
      signature: text(signature),
      ...(userHandle === null ? {} : { userHandle }),
    };
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  #clientData(type: string, { challenge }: Options, forged: Forgery): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authData({ rp, rpId }: Options, forged: Forgery, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? this.counter);
    const flags = (forged.absent ? 0 : 0x01) | (forged.unverified ? 0 : 0x04) | more;
    return Buffer.concat([sha256(forged.rpId ?? rp?.id ?? rpId ?? ''), Buffer.from([flags]), counter]);
  }

  /** RFC 9052 and 9053. */
  #coseKey(algorithm = NUMBERS[this.#algorithm]): Buffer {
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const part = (name: string | undefined) => new Uint8Array(Buffer.from(name ?? '', 'base64url'));
    const parts: [number, number | Uint8Array][] =
      this.#algorithm === 'RS256'
        ? [
            [1, 3],
            [3, algorithm],
            [-1, part(jwk.n)],
            [-2, part(jwk.e)],
          ]
        : this.#algorithm === 'EdDSA'
          ? [
              [1, 1],
              [3, algorithm],
              [-1, 6],
              [-2, part(jwk.x)],
            ]
          : [
              [1, 2],
              [3, algorithm],
              [-1, this.#algorithm === 'ES256' ? 1 : 2],
              [-2, part(jwk.x)],
              [-3, part(jwk.y)],
            ];
    return Buffer.from(encode(new Map(parts)));
  }
}
