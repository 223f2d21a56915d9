import type { Sql } from 'postgres';
import { REFRESH_SHARED_MS, refreshTokenOf } from '#app/platform/supabase/single-flight-fetch.server.ts';

/**
 * Ends the session of a refresh token that comes again later than its answer is shared, or after the token that followed it was used too:
 * one of its two bearers has a copy, and nobody can say which. The service itself would hand out the live token once more, forever. True
 * when a session was ended; the service then refuses the token as one it does not know.
 *
 * A project on Supabase decides this itself (its settings of refresh token rotation and reuse interval). RFC 9700, section 4.14.2.
 */
export async function endReusedSession(sql: Sql, request: { method: string; url: string; body: Uint8Array | null }): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method !== 'POST' || pathname !== '/auth/v1/token' || searchParams.get('grant_type') !== 'refresh_token') return false;
  const token = refreshTokenOf(new TextDecoder().decode(request.body ?? new Uint8Array()));
  if (token === null) return false;
  // The service writes the time of use with this process's clock.
  const sharedSince = new Date(Date.now() - REFRESH_SHARED_MS).toISOString();
  const ended = await sql`
    delete from auth.sessions s using auth.refresh_tokens used
    where used.token = ${token} and used.revoked and s.id = used.session_id
      and (used.updated_at < ${sharedSince}::timestamptz
        or exists (select from auth.refresh_tokens next where next.session_id = s.id and next.parent = used.token and next.revoked))`;
  return ended.count > 0;
}
