import { childrenOf, type Der, readDer, readOid, readTime, TAG } from '#app/domain/proof/der.ts';
import { type Bytes, sameBytes } from '#app/features/audit/verifier/bytes.ts';

/** A certificate (RFC 5280), as far as it is needed to follow it to another one. Names and numbers are the bytes of their DER. */
export type Certificate = {
  whole: Bytes;
  signed: Bytes;
  serial: Bytes;
  issuer: Bytes;
  subject: Bytes;
  from: Date;
  to: Date;
  publicKey: PublicKey;
  signatureAlgorithm: string;
  signature: Bytes;
  /** Whether it may issue others. */
  isAuthority: boolean;
  /** Object identifiers of what its key is for. */
  purposes: string[];
};
/** `spki`: as WebCrypto reads it. `curve`: object identifier, of an elliptic curve. */
export type PublicKey = { spki: Bytes; algorithm: string; curve: string | null };

const UTC_TIME = 0x17;
const BIT_STRING = 0x03;
const EXTENSIONS = 0xa3;
const VERSION = 0xa0;
const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const PURPOSES = '2.5.29.37';
/** keyCertSign is the sixth bit. */
const MAY_SIGN_CERTIFICATES = 0x04;

/** @throws RangeError where these bytes are none, or it has a critical extension that is not understood here */
export function readCertificate(der: Uint8Array): Certificate {
  const [body, algorithm, signature] = childrenOf(readDer(der));
  const fields = childrenOf(some(body)).filter(({ tag }) => tag !== VERSION);
  const [serial, signedAlgorithm, issuer, validity, subject, publicKey, ...rest] = fields;
  // Said twice, once under the signature (RFC 5280 section 4.1.1.2).
  if (!sameBytes(some(algorithm).whole.slice(), some(signedAlgorithm).whole.slice())) throw new RangeError('certificate: two algorithms');
  const [from, to] = childrenOf(some(validity));
  const extensions = readExtensions(rest.find(({ tag }) => tag === EXTENSIONS));
  const usage = extensions.get(KEY_USAGE);
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  const purposes = extensions.get(PURPOSES);
  const [authority] = constraints === undefined ? [] : childrenOf(constraints);
  return {
    whole: der.slice(),
    signed: some(body).whole.slice(),
    serial: some(serial).content.slice(),
    issuer: some(issuer).whole.slice(),
    subject: some(subject).whole.slice(),
    from: readAnyTime(some(from)),
    to: readAnyTime(some(to)),
    publicKey: readPublicKey(some(publicKey)),
    signatureAlgorithm: readOid(some(childrenOf(some(algorithm))[0])),
    signature: bitsOf(some(signature), 0),
    isAuthority:
      authority?.tag === TAG.boolean &&
      authority.content[0] === 0xff &&
      (usage === undefined || ((bitsOf(usage)[0] ?? 0) & MAY_SIGN_CERTIFICATES) !== 0),
    purposes: purposes === undefined ? [] : childrenOf(purposes).map(readOid),
  };
}

/** The certificates of a text in PEM. @throws where it holds none, or one that cannot be read */
export function readCertificates(pem: string): Certificate[] {
  const blocks = [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)];
  if (blocks.length === 0) throw new TypeError('no certificate');
  return blocks.map(([, text = '']) => readCertificate(Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0))));
}

function readPublicKey(value: Der): PublicKey {
  const [algorithm, parameters] = childrenOf(some(childrenOf(value)[0]));
  return {
    spki: value.whole.slice(),
    algorithm: readOid(some(algorithm)),
    curve: parameters?.tag === TAG.oid ? readOid(parameters) : null,
  };
}

function readExtensions(value: Der | undefined): Map<string, Der> {
  const found = new Map<string, Der>();
  if (value === undefined) return found;
  for (const extension of childrenOf(some(childrenOf(value, EXTENSIONS)[0]))) {
    const [name, ...rest] = childrenOf(extension);
    const oid = readOid(some(name));
    const isCritical = rest[0]?.tag === TAG.boolean && rest[0].content[0] !== 0;
    if (isCritical && ![KEY_USAGE, BASIC_CONSTRAINTS, PURPOSES].includes(oid)) throw new RangeError(`certificate: extension ${oid}`);
    found.set(oid, readDer(some(rest.at(-1)).content));
  }
  return found;
}

/** Years of two digits are those from 1950 to 2049 (RFC 5280 section 4.1.2.5.1). */
function readAnyTime({ tag, content, whole }: Der): Date {
  if (tag !== UTC_TIME) return readTime({ tag, content, whole });
  const century = (content[0] ?? 0) >= '5'.charCodeAt(0) ? '19' : '20';
  return readTime({ tag: TAG.time, content: new Uint8Array([...new TextEncoder().encode(century), ...content]), whole });
}

/** The first byte of a bit string says how many bits of the last are not used: of whole bytes none, `unused`. */
function bitsOf({ tag, content }: Der, unused = content[0]): Bytes {
  if (tag !== BIT_STRING || unused === undefined || content[0] !== unused) throw new RangeError('certificate: no bits');
  return content.slice(1);
}

function some<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('certificate: something is missing');
  return value;
}
