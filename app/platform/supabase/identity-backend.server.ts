import { createRemoteJWKSet, customFetch } from 'jose';
import type { CompanySessions } from '#app/contracts/company-sign-in.ts';
import { isLeaked } from '#app/platform/passwords/leaked-passwords.server.ts';
import { type AccessTokenKeys, type AccessTokenVerifier, createAccessTokenVerifier } from '#app/platform/supabase/access-token.server.ts';
import { createHostedSessions } from '#app/platform/supabase/company-sessions.server.ts';
import { createAuthClient, type ProfileClient } from '#app/platform/supabase/create-auth-client.server.ts';
import { retryReads } from '#app/platform/supabase/retried-reads.server.ts';
import { clearSessionCookies, readSessionCookie, sessionCookieName } from '#app/platform/supabase/session-cookie.server.ts';
import { singleFlightRefresh } from '#app/platform/supabase/single-flight-fetch.server.ts';
import { hideUnknownAddresses } from '#app/platform/supabase/unknown-addresses.server.ts';

/**
 * Where the auth service is. Embedded: `fetch` speaks to the instance's own, whose tokens are signed with `jwtSecret`, and
 * `cookieName` tells instances on one machine apart. Hosted: a project of Supabase, whose keys are published.
 */
export type IdentityOptions =
  | { mode: 'embedded'; url: string; key: string; fetch: typeof fetch; jwtSecret: string; cookieName?: string }
  | { mode: 'hosted'; url: string; key: string; secretKey?: string | null; fetch: typeof fetch; cookieName?: string };

type ClientRequest = { cookieHeader: string | null; secure: boolean; clientAddress: string; language: string };

export type IdentityAdapter = {
  mode: 'embedded' | 'hosted';
  cookieName: string;
  readCookie(cookieHeader: string | null): { accessToken: string; expiresAt: number } | 'absent' | 'garbled';
  clearCookie(cookieHeader: string | null, secure: boolean): Headers;
  openClient(request: ClientRequest): { client: ProfileClient; headers: Headers };
  verifyAccessToken: AccessTokenVerifier;
  isLeaked(password: string): boolean;
  companySessions: CompanySessions;
};

const KEYS_TIMEOUT_MS = 10_000;
/** Keys are read again after this, so that a rotated one is known within ten minutes. */
const JWKS_TTL_MS = 10 * 60_000;
/** An unknown key id makes us fetch again, but not more often than this: a forged id must not become a flood. */
const JWKS_RETRY_MS = 30_000;

/** The process-wide part of identity: one fetch that exchanges a refresh token once and asks twice for what fails, one verifier with its keys. */
export function createIdentityBackend(options: IdentityOptions): IdentityAdapter {
  const { mode, url, key } = options;
  const cookieName = options.cookieName ?? sessionCookieName(url);
  const readFetch = retryReads(options.fetch);
  const sharedFetch = hideUnknownAddresses(singleFlightRefresh(readFetch));
  return {
    mode,
    cookieName,
    isLeaked,
    companySessions: options.mode === 'embedded' ? 'database' : hostedSessions(options),
    readCookie: (cookieHeader) => readSessionCookie(cookieHeader, cookieName),
    clearCookie: (cookieHeader, secure) => clearSessionCookies(cookieHeader, cookieName, secure),
    openClient: ({ cookieHeader, secure, clientAddress, language }) =>
      createAuthClient({
        url,
        key,
        fetch: sharedFetch,
        cookieName,
        cookieHeader,
        secure,
        // The hosted service counts its limits by this address where that is switched on; the embedded one words its mails by the language.
        extraHeaders: mode === 'hosted' ? { 'Sb-Forwarded-For': clientAddress } : { 'X-Quorate-Language': language },
      }),
    verifyAccessToken: createAccessTokenVerifier({
      keys: options.mode === 'embedded' ? { kind: 'shared-secret', secret: options.jwtSecret } : publishedKeys(url, key, readFetch),
      // The embedded service writes no issuer.
      issuer: mode === 'embedded' ? null : `${url.replace(/\/$/, '')}/auth/v1`,
    }),
  };
}

function hostedSessions({ url, secretKey, fetch }: Extract<IdentityOptions, { mode: 'hosted' }>): CompanySessions {
  return secretKey === undefined || secretKey === null ? null : createHostedSessions({ url, secretKey, fetch });
}

function publishedKeys(url: string, key: string, fetchService: typeof fetch): AccessTokenKeys {
  const base = `${url.replace(/\/$/, '')}/auth/v1`;
  return {
    kind: 'jwks',
    keySet: createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`), {
      headers: { apikey: key },
      timeoutDuration: KEYS_TIMEOUT_MS,
      cacheMaxAge: JWKS_TTL_MS,
      cooldownDuration: JWKS_RETRY_MS,
      [customFetch]: (address, options) => fetchService(address, options),
    }),
    askService: async (token) => {
      const response = await fetchService(`${base}/user`, {
        headers: { apikey: key, Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(KEYS_TIMEOUT_MS),
      });
      if (response.status >= 500) throw new Error(`the auth service answered ${response.status} for a token`);
      return response.ok;
    },
  };
}
