import { LRUCache } from 'lru-cache';
import type { RouterContextProvider } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';

/** The facts about the signed-in person that a page may have: never a token, never the raw user of the auth service. */
export type SessionView = {
  user: { id: string; email: string } | null;
  profile: { role: string; name: string | null } | null;
  /** When the session's token ends (seconds since 1970), so that an open tab can ask for a new one in time. */
  expiresAt: number | null;
  assurance: 'aal1' | 'aal2' | null;
  /** The session comes from a recovery link that has not led to a new password yet. */
  recovered: boolean;
};

/** The role of everyone who has no row, and of everyone while the lookup fails: the least right. */
const FALLBACK_ROLE = 'user';
/** supabase: no row for `single()`. */
const NO_ROWS = 'PGRST116';
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 5_000;
/** How long a page waits for the profile, and how soon after that one asks again. */
const PATIENCE_MS = 2_000;
const ASK_AGAIN_MS = 10_000;

type Profile = { role: string; name: string | null };
const remembered = new LRUCache<string, { profile: Profile; until: number }>({ max: MAX_REMEMBERED });

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

/** The least is shown for now when the data API takes its time: a page does not wait for what gives no right. */
async function loadProfile(context: Readonly<RouterContextProvider>, userId: string): Promise<Profile> {
  const { now } = context.get(servicesContext);
  const known = remembered.get(userId);
  if (known !== undefined && known.until > now().getTime()) return known.profile;
  const least = { role: FALLBACK_ROLE, name: known?.profile.name ?? null };
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<Profile>((resolve) => {
    late = setTimeout(() => {
      remember(context, userId, least, ASK_AGAIN_MS);
      resolve(least);
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([readProfile(context, userId, least), patience]);
  } finally {
    clearTimeout(late);
  }
}

async function readProfile(context: Readonly<RouterContextProvider>, userId: string, least: Profile): Promise<Profile> {
  const { log } = context.get(servicesContext);
  try {
    const { data, error } = await context
      .get(authContext)
      .client.from('profiles')
      .select('id, role, display_name')
      .eq('id', userId)
      .single();
    if (error !== null && error.code !== NO_ROWS) log.warn('profile could not be read', { code: error.code });
    if (data === null) return error?.code === NO_ROWS ? { role: FALLBACK_ROLE, name: null } : least;
    return remember(context, userId, { role: data.role, name: data.display_name }, REMEMBERED_MS);
  } catch (error) {
    log.warn('profile could not be read', { code: error instanceof Error ? error.name : 'unknown' });
    return least;
  }
}

function remember(context: Readonly<RouterContextProvider>, userId: string, profile: Profile, forMs: number): Profile {
  remembered.set(userId, { profile, until: context.get(servicesContext).now().getTime() + forMs });
  return profile;
}

/** Called after a change of one's own profile. */
export function forgetProfile(userId: string): void {
  remembered.delete(userId);
}
