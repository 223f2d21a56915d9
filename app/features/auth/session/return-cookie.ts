import { HOME_PATH } from '#app/features/auth/session/return-path.ts';

const NAME = 'auth_next';
const MAX_AGE_SECONDS = 60 * 60;
const MAX_LENGTH = 1_000;

/** Remembers where someone was going while they look for our e-mail; null forgets it. */
export function returnCookie(path: string | null, secure: boolean): string {
  const value = path === null || path === HOME_PATH || path.length > MAX_LENGTH ? '' : encodeURIComponent(path);
  return `${NAME}=${value}; Path=/; Max-Age=${value === '' ? 0 : MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The remembered path, unchecked: who uses it passes it through `returnPath`. */
export function readReturnCookie(cookieHeader: string | null): string | null {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(cookieHeader ?? '')?.[1];
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
