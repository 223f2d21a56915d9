import { href } from 'react-router';
import type { EmailLinkType } from '#app/contracts/identity.ts';

/**
 * The types that a link may name, and the type each is treated as. The service would take a recovery link that calls itself `email` for a way in
 * without a new password: here it stands for a sign-up alone, as in the templates of hosted projects. One that calls itself `magiclink` opens a
 * session only in a browser that has asked for a mail to sign in.
 */
const TYPES: ReadonlyMap<string, EmailLinkType> = new Map([
  ['signup', 'signup'],
  ['email', 'signup'],
  ['invite', 'invite'],
  ['recovery', 'recovery'],
  ['email_change', 'email_change'],
  ['magiclink', 'magiclink'],
]);
const TOKEN_HASH = /^[A-Za-z0-9_.-]{16,256}$/;
const CODE = /^[A-Za-z0-9_-]{8,128}$/;

/**
 * The content of an e-mailed link's address. `token`: our own link, which works in any browser. `code`: the hosted default link, which
 * works in the browser that asked. `failed`: the service refused it already. Reading one changes nothing: mail scanners open links.
 */
export type EmailLink =
  | { kind: 'token'; tokenHash: string; type: EmailLinkType }
  | { kind: 'code'; code: string }
  | { kind: 'failed' }
  | { kind: 'garbled' }
  | { kind: 'none' };

export function readEmailLink(params: URLSearchParams): EmailLink {
  if (params.has('error') || params.has('error_code')) return { kind: 'failed' };
  const tokenHash = params.get('token_hash');
  if (tokenHash !== null) {
    const type = TYPES.get(params.get('type') ?? '');
    return type !== undefined && TOKEN_HASH.test(tokenHash) ? { kind: 'token', tokenHash, type } : { kind: 'garbled' };
  }
  const code = params.get('code');
  if (code !== null) return CODE.test(code) ? { kind: 'code', code } : { kind: 'garbled' };
  return { kind: 'none' };
}

/** Said to `/auth/confirm` when one of two mailboxes has confirmed a new address. */
export const OTHER_MAILBOX = 'other-mailbox';

/** Uses a recovery link, together with the new password. */
export function recoveryPath(tokenHash: string): string {
  return `${href('/reset-password')}?token_hash=${encodeURIComponent(tokenHash)}&type=recovery`;
}

/** The page that a link to sign in opens. */
export function signInLinkPath(tokenHash: string): string {
  return `${href('/auth/mail')}?token_hash=${encodeURIComponent(tokenHash)}&type=magiclink`;
}
