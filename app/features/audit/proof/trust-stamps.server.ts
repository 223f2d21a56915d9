import { checkStamp, readCertificates } from '#app/engine/proof/check-stamp.ts';

/**
 * What checks time stamps for whoever trusts these certificates (PEM), under Node.
 * @throws where the text holds no certificate
 */
export function trustStamps(ca: string): (answer: Uint8Array, text: string) => Date | null {
  readCertificates(ca);
  return (answer, text) => checkStamp(answer, { text, nonce: null, policy: null, ca });
}
