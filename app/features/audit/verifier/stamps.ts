/** Time stamps of RFC 3161 with WebCrypto alone, so that they are checked alike in a browser and under Node. */
import { childrenOf, readDer, TAG } from '#app/domain/proof/der.ts';
import { type ReadStamp, readStamp, stampFits } from '#app/domain/proof/time-stamp.ts';
import { type Bytes, sameBytes, sha256, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { type Certificate, type PublicKey, readCertificate, readCertificates } from '#app/features/audit/verifier/certificate.ts';

const DIGESTS: Record<string, string> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};
/** PKCS #1 and ECDSA; the one without a digest of its own is used with that of the signer. */
const SIGNATURES: Record<string, string | null> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512',
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
};
const RSA = '1.2.840.113549.1.1.1';
const ELLIPTIC = '1.2.840.10045.2.1';
/** Name for WebCrypto, and bytes of each of the two numbers of a signature. */
const CURVES: Record<string, { name: string; bytes: number }> = {
  '1.2.840.10045.3.1.7': { name: 'P-256', bytes: 32 },
  '1.3.132.0.34': { name: 'P-384', bytes: 48 },
  '1.3.132.0.35': { name: 'P-521', bytes: 66 },
};
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const LONGEST_CHAIN = 6;

/**
 * A check of time stamps for whoever trusts these certificates (PEM): when an authority saw a text, or null.
 * @throws where the text holds no certificate that can be read
 */
export function trustStamps(ca: string): (answer: Uint8Array, text: string) => Promise<Date | null> {
  const trusted = readCertificates(ca);
  return async (answer, text) => {
    try {
      return await checkStamp(answer, text, trusted);
    } catch {
      // Whatever in it cannot be read, it is no stamp.
      return null;
    }
  };
}

async function checkStamp(answer: Uint8Array, text: string, trusted: readonly Certificate[]): Promise<Date | null> {
  const stamp = readStamp(answer);
  if (!stampFits(stamp, await sha256(utf8(text)), null, null)) return null;
  const given = stamp.certificates.map(readCertificate);
  const signer = [...given, ...trusted].find(
    ({ serial, issuer }) => sameBytes(serial, stamp.serial.slice()) && sameBytes(issuer, stamp.issuer.slice()),
  );
  if (signer === undefined || !signer.purposes.includes(TIME_STAMPING) || !(await isSignedBy(stamp, signer))) return null;
  return (await leadsTo(signer, given, trusted, stamp.at)) ? stamp.at : null;
}

async function isSignedBy(stamp: ReadStamp, { publicKey }: Certificate): Promise<boolean> {
  const digest = DIGESTS[stamp.digestAlgorithm];
  if (digest === undefined) return false;
  const found = new Uint8Array(await crypto.subtle.digest(digest, stamp.info.slice()));
  if (!sameBytes(found, stamp.messageDigest.slice())) return false;
  const hash = hashOf(stamp.signatureAlgorithm, digest);
  return hash !== null && (await holds(publicKey, hash, stamp.attributes.slice(), stamp.signature.slice()));
}

const hashOf = (algorithm: string, digest: string | null) => (algorithm in SIGNATURES ? (SIGNATURES[algorithm] ?? digest) : null);

/** Whether the certificates lead from this one to one that is trusted, each valid at that time. */
async function leadsTo(signer: Certificate, given: readonly Certificate[], trusted: readonly Certificate[], at: Date): Promise<boolean> {
  let current: Certificate | undefined = signer;
  for (let n = 0; current !== undefined && n < LONGEST_CHAIN; n++) {
    const { whole } = current;
    if (!isValid(current, at)) return false;
    if (trusted.some((one) => sameBytes(one.whole, whole)) || (await issuerOf(current, trusted, at)) !== undefined) return true;
    current = await issuerOf(current, given, at);
  }
  return false;
}

const isValid = ({ from, to }: Certificate, at: Date) => from <= at && at <= to;

async function issuerOf(certificate: Certificate, among: readonly Certificate[], at: Date): Promise<Certificate | undefined> {
  const hash = hashOf(certificate.signatureAlgorithm, null);
  if (hash === null) return undefined;
  for (const by of among) {
    const isNamed = by.isAuthority && isValid(by, at) && sameBytes(by.subject, certificate.issuer);
    if (isNamed && (await holds(by.publicKey, hash, certificate.signed, certificate.signature))) return by;
  }
  return undefined;
}

/** Whether the signature over these bytes is by this key. */
async function holds({ spki, algorithm, curve }: PublicKey, hash: string, signed: Bytes, signature: Bytes): Promise<boolean> {
  if (algorithm === RSA) {
    const key = await crypto.subtle.importKey('spki', spki, { name: 'RSASSA-PKCS1-v1_5', hash }, false, ['verify']);
    return await crypto.subtle.verify('RSASSA-PKCS1-v1_5', key, signature, signed);
  }
  const known = algorithm === ELLIPTIC ? CURVES[curve ?? ''] : undefined;
  if (known === undefined) return false;
  const key = await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: known.name }, false, ['verify']);
  return await crypto.subtle.verify({ name: 'ECDSA', hash }, key, plainSignature(signature, known.bytes), signed);
}

/** WebCrypto takes the two numbers of a signature one after the other, and certificates have them in DER. @throws RangeError */
function plainSignature(der: Bytes, bytes: number): Bytes {
  const value = readDer(der);
  const numbers = childrenOf(value);
  if (numbers.length !== 2 || value.whole.length !== der.length) throw new RangeError('signature: not two numbers');
  const plain = new Uint8Array(bytes * 2);
  for (const [n, { tag, content }] of numbers.entries()) {
    const digits = content[0] === 0 ? content.subarray(1) : content;
    if (tag !== TAG.integer || digits.length > bytes) throw new RangeError('signature: a number that is too long');
    plain.set(digits, (n + 1) * bytes - digits.length);
  }
  return plain;
}
