import { type CookieOptions, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr';

export type Cookie = { name: string; value: string };

/** The prefix that @supabase/ssr puts before encoded values. */
const ENCODED_PREFIX = 'base64-';
/** Two tokens fill one part, or two with a large custom claim. More is not ours: it would only cost us work. */
const MOST_PARTS = 5;

/** The name comes from the project's host, as Supabase's own clients choose it; the port keeps two instances on one machine apart. */
export function sessionCookieName(url: string): string {
  const { hostname, port } = new URL(url);
  const project = hostname.split('.')[0] ?? 'local';
  return `sb-${project}${port === '' ? '' : `-${port}`}-auth-token`;
}

/** Not readable by scripts, not sent along from other sites, and only over https where the request came so. */
export function sessionCookieOptions(secure: boolean): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure };
}

/**
 * The cookies of one session: `name`, its parts `name.0` … and what belongs to it (`name-code-verifier`). No other cookie of the request
 * reaches the auth client.
 */
export function sessionCookies(cookieHeader: string | null, name: string): Cookie[] {
  if (cookieHeader === null || !cookieHeader.includes(name)) return [];
  return parseCookieHeader(cookieHeader)
    .map((cookie) => ({ name: cookie.name, value: cookie.value ?? '' }))
    .filter((cookie) => cookie.name === name || cookie.name.startsWith(`${name}.`) || cookie.name.startsWith(`${name}-`));
}

/** The tokens in the cookie, not trusted yet: callers verify the access token. */
export function readSessionCookie(
  cookieHeader: string | null,
  name: string,
): { accessToken: string; expiresAt: number } | 'absent' | 'garbled' {
  const cookies = sessionCookies(cookieHeader, name);
  const whole = cookies.find((cookie) => cookie.name === name);
  const parts = cookies.filter((cookie) => cookie.name.startsWith(`${name}.`));
  if (whole === undefined && parts.length === 0) return 'absent';
  if (parts.length > MOST_PARTS) return 'garbled';
  const encoded = whole?.value || parts.map((_, index) => parts.find((part) => part.name === `${name}.${index}`)?.value ?? '').join('');
  if (!encoded.startsWith(ENCODED_PREFIX)) return 'garbled';
  try {
    const session: unknown = JSON.parse(Buffer.from(encoded.slice(ENCODED_PREFIX.length), 'base64url').toString('utf8'));
    if (typeof session !== 'object' || session === null) return 'garbled';
    if (!('access_token' in session) || !('refresh_token' in session) || !('expires_at' in session)) return 'garbled';
    const { access_token: accessToken, refresh_token: refreshToken, expires_at: expiresAt } = session;
    if (typeof accessToken !== 'string' || typeof refreshToken !== 'string' || typeof expiresAt !== 'number') return 'garbled';
    return { accessToken, expiresAt };
  } catch {
    return 'garbled';
  }
}

/** Takes every cookie of the session out of the browser, also parts that no longer fit together. */
export function clearSessionCookies(cookieHeader: string | null, name: string, secure: boolean): Headers {
  const headers = new Headers();
  for (const cookie of sessionCookies(cookieHeader, name)) {
    headers.append('Set-Cookie', serializeCookieHeader(cookie.name, '', { ...sessionCookieOptions(secure), maxAge: 0 }));
  }
  return headers;
}
