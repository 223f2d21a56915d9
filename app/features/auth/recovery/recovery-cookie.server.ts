import type { Sealer } from '#app/contracts/ports.ts';

const NAME = 'sb-recovery';
const CONTEXT = 'recovery session';
const MAX_AGE_SECONDS = 15 * 60;

/**
 * Marks a session that a recovery link has just opened, so that it may set a password without the old one. It is sealed, and good for that
 * session alone; null takes it back.
 */
export function recoveryCookie(sealer: Sealer, sessionId: string | null, now: Date, secure: boolean): string {
  const value = sessionId === null ? '' : Buffer.from(sealer.seal(`${sessionId} ${now.getTime()}`, CONTEXT)).toString('base64url');
  return `${NAME}=${value}; Path=/; Max-Age=${value === '' ? 0 : MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** True when this session came from a recovery link that has not led to a new password yet. */
export function isRecovering(sealer: Sealer, cookieHeader: string | null, sessionId: string, now: Date): boolean {
  const value = /(?:^|;\s*)sb-recovery=([\w-]+)/.exec(cookieHeader ?? '')?.[1];
  if (value === undefined) return false;
  try {
    const [sealedFor, at] = sealer.open(Buffer.from(value, 'base64url'), CONTEXT).split(' ');
    return sealedFor === sessionId && now.getTime() - Number(at) < MAX_AGE_SECONDS * 1000;
  } catch {
    // Sealed with another key, or not by us at all.
    return false;
  }
}
