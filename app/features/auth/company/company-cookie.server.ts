import { createHash, randomBytes } from 'node:crypto';

/** Sign-ins by a provider come back by a link of another site, so that the cookie is Lax; it goes along to these addresses alone. */
const PATH = '/sign-in/company';
const BROWSER = 'company_browser';
const LINK = 'company_link';
const BYTES = 32;

function read(cookieHeader: string | null, name: string): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(cookieHeader ?? '')?.[1] ?? null;
}

function write(name: string, value: string, maxAge: number, secure: boolean): string {
  return `${name}=${value}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

export const randomSecret = (): string => randomBytes(BYTES).toString('base64url');

/** The number that binds sign-ins under way to this browser, the one that it has or a new one: several tabs share it. */
export function browserCookie(cookieHeader: string | null, secure: boolean): { digest: string; cookie: string } {
  const value = read(cookieHeader, BROWSER) ?? randomSecret();
  return { digest: digestOf(value), cookie: write(BROWSER, value, 600, secure) };
}

/** Digest of the number that this browser has; null: it has none. */
export function readBrowser(cookieHeader: string | null): string | null {
  const value = read(cookieHeader, BROWSER);
  return value === null ? null : digestOf(value);
}

const digestOf = (value: string) => createHash('sha256').update(value).digest('base64url');

/** Under which the account that is to prove itself is kept; null forgets it. */
export const linkCookie = (secret: string | null, secure: boolean) => write(LINK, secret ?? '', secret === null ? 0 : 1800, secure);
export const readLink = (cookieHeader: string | null) => read(cookieHeader, LINK);
