import { createHash, randomBytes } from 'node:crypto';

const NAME = 'passkey_browser';
const MAX_AGE_SECONDS = 10 * 60;

const read = (cookieHeader: string | null) => new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`).exec(cookieHeader ?? '')?.[1] ?? null;
const digestOf = (value: string) => createHash('sha256').update(value).digest('base64url');

/** The number that binds challenges to this browser, the one that it has or a new one: several tabs share it. */
export function passkeyCookie(cookieHeader: string | null, secure: boolean): { digest: string; cookie: string } {
  const value = read(cookieHeader) ?? randomBytes(32).toString('base64url');
  return {
    digest: digestOf(value),
    cookie: `${NAME}=${value}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
  };
}

/** Digest of the number that this browser has; null: it has none. */
export function readPasskeyCookie(cookieHeader: string | null): string | null {
  const value = read(cookieHeader);
  return value === null ? null : digestOf(value);
}
