import { createHash, X509Certificate } from 'node:crypto';

/** Of a certificate (base64 of DER): its SHA-256 (hex), and its last moment (ISO 8601). */
export type DescribedCertificate = { fingerprint: string; notAfter: string };

export function describeCertificate(base64: string): DescribedCertificate {
  const bytes = Buffer.from(base64, 'base64');
  return { fingerprint: createHash('sha256').update(bytes).digest('hex'), notAfter: new X509Certificate(bytes).validToDate.toISOString() };
}
