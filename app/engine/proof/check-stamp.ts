import { createHash, verify, X509Certificate } from 'node:crypto';
import { childrenOf, readDer } from '#app/domain/proof/der.ts';
import { type ReadStamp, readStamp, stampFits } from '#app/domain/proof/time-stamp.ts';

const DIGESTS: Record<string, string> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** PKCS #1 and ECDSA; those without a digest of their own are used with that of the signer. */
const SIGNATURES: Record<string, string | null> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const LONGEST_CHAIN = 6;

/** `nonce` null: of a stamp that was taken earlier. `ca`: one or more certificates in PEM. */
export type WantedStamp = { text: string; nonce: Uint8Array | null; policy: string | null; ca: string };

/** When an authority saw this text, by an answer whose signature leads to one of these certificates. Null: it does not hold. */
export function checkStamp(answer: Uint8Array, wanted: WantedStamp): Date | null {
  try {
    const stamp = readStamp(answer);
    const digest = createHash('sha256').update(wanted.text).digest();
    if (!stampFits(stamp, digest, wanted.nonce, wanted.policy)) return null;
    const certificates = stamp.certificates.map((der) => new X509Certificate(der));
    const trusted = readCertificates(wanted.ca);
    const signer = [...certificates, ...trusted].find((one) => isNamedBy(one, stamp));
    if (signer === undefined || !isSignedBy(stamp, signer) || !(signer.keyUsage ?? []).includes(TIME_STAMPING)) return null;
    return leadsTo(signer, certificates, trusted, stamp.at) ? stamp.at : null;
  } catch {
    // Whatever in it cannot be read, it is no stamp.
    return null;
  }
}

/** @throws where the text holds none, or one that cannot be read */
export function readCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new TypeError('no certificate');
  return blocks.map((block) => new X509Certificate(block));
}

/** Whether the signer's issuer and serial number are those of this certificate (RFC 5280 section 4.1). */
function isNamedBy(certificate: X509Certificate, { issuer, serial }: ReadStamp): boolean {
  const [body] = childrenOf(readDer(certificate.raw));
  const fields = body === undefined ? [] : childrenOf(body).filter(({ tag }) => tag !== 0xa0);
  return [serial, issuer].every((wanted, n) => {
    const found = n === 0 ? fields[0]?.content : fields[2]?.whole;
    return found !== undefined && Buffer.from(found).equals(wanted);
  });
}

function isSignedBy(stamp: ReadStamp, signer: X509Certificate): boolean {
  const digest = DIGESTS[stamp.digestAlgorithm];
  if (digest === undefined || !(stamp.signatureAlgorithm in SIGNATURES)) return false;
  if (!createHash(digest).update(stamp.info).digest().equals(stamp.messageDigest)) return false;
  return verify(SIGNATURES[stamp.signatureAlgorithm] ?? digest, stamp.attributes, signer.publicKey, stamp.signature);
}

/** Whether the certificates lead from this one to one that is trusted, each valid at that time. */
function leadsTo(signer: X509Certificate, given: readonly X509Certificate[], trusted: readonly X509Certificate[], at: Date): boolean {
  const isValid = (one: X509Certificate) => one.validFromDate <= at && at <= one.validToDate;
  const issued = (one: X509Certificate) => (by: X509Certificate) => by.ca && isValid(by) && one.checkIssued(by) && one.verify(by.publicKey);
  let current: X509Certificate | undefined = signer;
  for (let n = 0; current !== undefined && n < LONGEST_CHAIN; n++) {
    const { fingerprint256 } = current;
    if (!isValid(current)) return false;
    if (trusted.some((one) => one.fingerprint256 === fingerprint256) || trusted.some(issued(current))) return true;
    current = given.find(issued(current));
  }
  return false;
}
