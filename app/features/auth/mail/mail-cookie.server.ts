import type { Sealer } from '#app/contracts/ports.ts';

const NAME = 'auth_mail';
const CONTEXT = 'sign-in by mail';
/** As long as the mail says that its link and its code work. */
export const MAILED_SECONDS = 10 * 60;

/**
 * Remembers, sealed, the address for which this browser asked for a mail to sign in: its link opens a session in no other browser. Whoever
 * is sent somebody else's link would end up in their account. Null forgets it.
 */
export function mailCookie(sealer: Sealer, email: string | null, now: Date, secure: boolean): string {
  const value = email === null ? '' : Buffer.from(sealer.seal(`${now.getTime()} ${email}`, CONTEXT)).toString('base64url');
  return `${NAME}=${value}; Path=/auth; Max-Age=${value === '' ? 0 : MAILED_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The address that this browser asked for within the time of a mail; null without one. */
export function readMailCookie(sealer: Sealer, cookieHeader: string | null, now: Date): string | null {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]+)`).exec(cookieHeader ?? '')?.[1];
  if (value === undefined) return null;
  try {
    const [, at, email] = /^(\d+) (.+)$/.exec(sealer.open(Buffer.from(value, 'base64url'), CONTEXT)) ?? [];
    return email !== undefined && now.getTime() - Number(at) < MAILED_SECONDS * 1000 ? email : null;
  } catch {
    // Sealed with another key, or not by us at all.
    return null;
  }
}
