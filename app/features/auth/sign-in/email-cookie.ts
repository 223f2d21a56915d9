const NAME = 'auth_email';
const MAX_AGE_SECONDS = 60 * 60;

/**
 * Remembers the address that someone typed while they look for our e-mail, so that nobody types it again (WCAG 2.2, 3.3.7); null forgets
 * it. It says nothing of whether there is such an account, and is not readable by scripts.
 */
export function emailCookie(email: string | null, secure: boolean): string {
  const value = encodeURIComponent(email ?? '');
  return `${NAME}=${value}; Path=/; Max-Age=${value === '' ? 0 : MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The values typed in this browser within the last hour, or empty. */
export function readEmailCookie(cookieHeader: string | null): string {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(cookieHeader ?? '')?.[1] ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
