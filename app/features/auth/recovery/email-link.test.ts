import { expect, test } from 'vitest';
import { readEmailLink } from '#app/features/auth/recovery/email-link.ts';

const HASH = 'a'.repeat(64);
test.each([
  [`token_hash=${HASH}&type=signup`, { kind: 'token', tokenHash: HASH, type: 'signup' }],
  [`token_hash=pkce_${HASH}&type=recovery`, { kind: 'token', tokenHash: `pkce_${HASH}`, type: 'recovery' }],
  [`token_hash=${HASH}&type=email`, { kind: 'token', tokenHash: HASH, type: 'signup' }],
  [`token_hash=${HASH}&type=magiclink`, { kind: 'token', tokenHash: HASH, type: 'magiclink' }],
  [`token_hash=${HASH}`, { kind: 'garbled' }],
  [`token_hash=${HASH}&type=admin`, { kind: 'garbled' }],
  ['token_hash=%3Cscript%3E&type=signup', { kind: 'garbled' }],
  ['token_hash=&type=signup', { kind: 'garbled' }],
  ['code=0b9f6c1e-5d2f-4c0a-9a53-0b8c1d6c0d3e', { kind: 'code', code: '0b9f6c1e-5d2f-4c0a-9a53-0b8c1d6c0d3e' }],
  ['code=x', { kind: 'garbled' }],
  ['error=access_denied&error_code=otp_expired', { kind: 'failed' }],
  [`error_code=otp_expired&token_hash=${HASH}&type=signup`, { kind: 'failed' }],
  ['', { kind: 'none' }],
  ['sent=signup', { kind: 'none' }],
])('reads %s', (query, link) => {
  expect(readEmailLink(new URLSearchParams(query))).toEqual(link);
});
