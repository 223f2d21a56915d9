import type { RouterContextProvider } from 'react-router';
import { isRecovering } from '#app/features/auth/recovery-cookie.server.ts';
import { authContext, servicesContext } from '#app/request-context.ts';

/** What a page may know of who is signed in: never a token, never the raw user of the auth service. */
export type SessionView = {
  user: { id: string; email: string } | null;
  profile: { role: string; name: string | null } | null;
  /** When the session's token ends (seconds since 1970), so that an open tab can ask for a new one in time. */
  expiresAt: number | null;
  assurance: 'aal1' | 'aal2' | null;
  /** The session comes from a recovery link that has not led to a new password yet. */
  recovered: boolean;
};

/** The role that everybody has when no row exists or the lookup fails: it is the least right (specification, section 8). */
const FALLBACK_ROLE = 'user';
/** supabase: no row for `single()`. */
const NO_ROWS = 'PGRST116';
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 5_000;

type Profile = { role: string; name: string | null };
const remembered = new Map<string, { profile: Profile; until: number }>();

/** Feeds the root loader. The profile comes through the data API, and is remembered for a minute: it gives no right to anything. */
export async function loadSession(context: Readonly<RouterContextProvider>, request: Request): Promise<SessionView> {
  const { user, token } = context.get(authContext);
  if (user === null || token === null) return { user: null, profile: null, expiresAt: null, assurance: null, recovered: false };
  const { engine, now } = context.get(servicesContext);
  return {
    user: { id: user.id, email: user.email },
    profile: await loadProfile(context, user.id),
    expiresAt: token.expiresAt,
    assurance: token.assurance,
    recovered: isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now()),
  };
}

async function loadProfile(context: Readonly<RouterContextProvider>, userId: string): Promise<Profile> {
  const { log, now } = context.get(servicesContext);
  const at = now().getTime();
  const known = remembered.get(userId);
  if (known !== undefined && known.until > at) return known.profile;
  try {
    const { data, error } = await context
      .get(authContext)
      .client.from('profiles')
      .select('id, role, display_name')
      .eq('id', userId)
      .single();
    if (error !== null && error.code !== NO_ROWS) log.warn('profile could not be read', { code: error.code });
    if (data === null) return { role: FALLBACK_ROLE, name: null };
    const profile = { role: data.role, name: data.display_name };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(userId, { profile, until: at + REMEMBERED_MS });
    return profile;
  } catch (error) {
    log.warn('profile could not be read', { code: error instanceof Error ? error.name : 'unknown' });
    return { role: FALLBACK_ROLE, name: null };
  }
}

/** After a change of one's own profile. */
export function forgetProfile(userId: string): void {
  remembered.delete(userId);
}
