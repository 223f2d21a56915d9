import { createPublicKey, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { SamlKey } from '#app/contracts/company-sign-in.ts';
import { TAG, writeDer, writeOid } from '#app/domain/proof/der.ts';

const MODULUS_BITS = 2048;
const YEARS = 3;
const LONGEST_NAME = 64;
const SHA256_WITH_RSA = writeDer(TAG.sequence, writeOid('1.2.840.113549.1.1.11'), writeDer(TAG.null));
const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const BITS = 0x03;
const UTF8 = 0x0c;
/** Years from 2050 on are written with four digits (RFC 5280, section 4.1.2.5). */
const TWO_DIGIT_TIME = 0x17;
const FIRST_LONG_YEAR = 2050;

/**
 * An RSA key pair and a certificate that it signs itself (RFC 5280), which is all that SAML asks of one: whoever reads it looks at the key.
 * @param name of whom it is, at most 64 letters of it
 * @param from the beginning of its three years
 */
export async function makeCertificate(name: string, from: Date): Promise<SamlKey & { notAfter: Date }> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + YEARS);
  until.setUTCMilliseconds(0);
  const subject = nameOf(name.slice(0, LONGEST_NAME));
  const extension = writeDer(TAG.sequence, writeOid(BASIC_CONSTRAINTS), writeDer(TAG.octets, writeDer(TAG.sequence)));
  const body = writeDer(
    TAG.sequence,
    writeDer(TAG.zero, writeDer(TAG.integer, new Uint8Array([2]))),
    // Positive, and of 20 bytes at most.
    writeDer(TAG.integer, new Uint8Array([0x40, ...randomBytes(15)])),
    SHA256_WITH_RSA,
    subject,
    writeDer(TAG.sequence, timeOf(from), timeOf(until)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    writeDer(TAG.zero + 3, writeDer(TAG.sequence, extension)),
  );
  const signature = writeDer(BITS, new Uint8Array([0]), sign('sha256', body, privateKey));
  const certificate = writeDer(TAG.sequence, body, SHA256_WITH_RSA, signature);
  return {
    certificate: Buffer.from(certificate).toString('base64'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    notAfter: until,
  };
}

function nameOf(text: string): Uint8Array {
  const common = writeDer(TAG.sequence, writeOid(COMMON_NAME), writeDer(UTF8, Buffer.from(text, 'utf8')));
  return writeDer(TAG.sequence, writeDer(TAG.set, common));
}

function timeOf(date: Date): Uint8Array {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  const long = date.getUTCFullYear() >= FIRST_LONG_YEAR;
  return writeDer(long ? TAG.time : TWO_DIGIT_TIME, Buffer.from(long ? digits : digits.slice(2), 'ascii'));
}
