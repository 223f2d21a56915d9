import { v4, v7 } from 'uuid';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** What programs name things by, each made of these random bytes (64 of them at least): nothing of it is about a person. */
export const MACHINE_TOKENS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  'UUID version 4': (bytes) => v4({ random: bytes }),
  'UUID version 7': (bytes) => v7({ random: bytes, msecs: 1_700_000_000_000 + (Buffer.from(bytes).readUInt32LE(16) % 2 ** 32) * 64 }),
  'UUID in capitals': (bytes) => v4({ random: bytes }).toUpperCase(),
  'UUID in a path': (bytes) => `runs/${v4({ random: bytes })}/a`,
  ULID: (bytes) => `01${Array.from(bytes.subarray(0, 24), (byte) => CROCKFORD[byte & 31]).join('')}`,
  'MD5 hash': (bytes) => hex(bytes.subarray(0, 16)),
  'SHA-1 hash': (bytes) => hex(bytes.subarray(0, 20)),
  'SHA-256 hash': (bytes) => hex(bytes.subarray(0, 32)),
  'trace parent': (bytes) => `00-${hex(bytes.subarray(0, 16))}-${hex(bytes.subarray(16, 24))}-01`,
  'dashed hex': (bytes) => hex(bytes.subarray(0, 20)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  'base64, 16 bytes': (bytes) => Buffer.from(bytes.subarray(0, 16)).toString('base64'),
  'base64, 32 bytes': (bytes) => Buffer.from(bytes.subarray(0, 32)).toString('base64'),
  'base64url, 16 bytes': (bytes) => Buffer.from(bytes.subarray(0, 16)).toString('base64url'),
  'base64url, 32 bytes': (bytes) => Buffer.from(bytes.subarray(0, 32)).toString('base64url'),
  'base64, 64 bytes': (bytes) => Buffer.from(bytes.subarray(0, 64)).toString('base64'),
};
