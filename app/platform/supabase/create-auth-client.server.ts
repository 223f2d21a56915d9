import { createServerClient, serializeCookieHeader } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import { readSessionCookie, sessionCookieOptions, sessionCookies } from '#app/platform/supabase/session-cookie.server.ts';

/** The parts of one request's client. `extraHeaders` go with every call to the service. */
export type AuthClientOptions = {
  url: string;
  key: string;
  fetch: typeof fetch;
  cookieName: string;
  cookieHeader: string | null;
  secure: boolean;
  extraHeaders: Record<string, string>;
};

type ProfileRow = { id: string; role: string; display_name: string | null };
type DataFailure = { code: string; message: string } | null;

/** The part of supabase-js that the product uses: its auth client, and two queries of one table. */
export type ProfileClient = {
  auth: SupabaseClient['auth'];
  from(table: 'profiles'): {
    select(columns: string): {
      eq(column: 'id', value: string): { single(): Promise<{ data: ProfileRow | null; error: DataFailure }> };
    };
    upsert(row: { id: string; display_name?: string }): Promise<{ error: DataFailure }>;
  };
};

// Its generic query builder is too deep for the type checker to compare with a plain type.
function profileQueries(client: SupabaseClient, table: 'profiles'): ReturnType<ProfileClient['from']> {
  return {
    select: (columns) => ({
      eq: (column, value) => ({
        single: async () => {
          const { data, error } = await client.from(table).select(columns).eq(column, value).single<ProfileRow>();
          return { data, error };
        },
      }),
    }),
    upsert: async (row) => {
      const { error } = await client.from(table).upsert(row);
      return { error };
    },
  };
}

/**
 * One client for one request, never shared. It reads the session from the request's cookies and writes what it changes into
 * `headers`, which the caller puts on whatever response is answered. The user object stays out of the cookie, so that large
 * metadata cannot make the request header too long.
 */
export function createAuthClient(options: AuthClientOptions): { client: ProfileClient; headers: Headers } {
  const headers = new Headers();
  // A garbled cookie is not a session: passing it on would only make the library log a warning.
  const readable = readSessionCookie(options.cookieHeader, options.cookieName) !== 'garbled';
  const cookies = sessionCookies(options.cookieHeader, options.cookieName).filter(
    (cookie) => readable || cookie.name.endsWith('-code-verifier'),
  );
  const client = createServerClient(options.url, options.key, {
    global: { fetch: options.fetch, headers: options.extraHeaders },
    cookieOptions: { name: options.cookieName, ...sessionCookieOptions(options.secure) },
    cookies: {
      encode: 'tokens-only',
      getAll: () => cookies,
      setAll: (changed, cacheHeaders) => {
        for (const { name, value, options: cookieOptions } of changed)
          headers.append('Set-Cookie', serializeCookieHeader(name, value, cookieOptions));
        for (const [name, value] of Object.entries(cacheHeaders)) headers.set(name, value);
      },
    },
  });
  return { client: { auth: client.auth, from: (table) => profileQueries(client, table) }, headers };
}
