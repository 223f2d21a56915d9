import { hash } from 'node:crypto';

/** SHA-256 of bytes, at once: the log hashes thousands of short texts, which WebCrypto would make as many promises of. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
