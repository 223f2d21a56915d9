import type { SessionView } from '#app/features/auth/session/load-session.server.ts';

/** Changes that components may react to. */
export type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

/** The difference between two states of the session, as the pages saw them. `before` is null for the first one. */
export function deriveAuthEvents(before: SessionView | null, after: SessionView): AuthEvent[] {
  if (before === null) return ['INITIAL_SESSION', ...(after.recovered ? (['PASSWORD_RECOVERY'] as const) : [])];
  if (before.user !== null && after.user === null) return ['SIGNED_OUT'];
  const events: AuthEvent[] = [];
  if (after.user !== null && before.user?.id !== after.user.id) events.push('SIGNED_IN');
  if (after.recovered && !before.recovered) events.push('PASSWORD_RECOVERY');
  if (after.user === null || before.user?.id !== after.user.id) return events;
  if (before.assurance === 'aal1' && after.assurance === 'aal2') events.push('MFA_CHALLENGE_VERIFIED');
  else if (before.expiresAt !== after.expiresAt) events.push('TOKEN_REFRESHED');
  const changed =
    before.user.email !== after.user.email || before.profile?.name !== after.profile?.name || before.profile?.role !== after.profile?.role;
  if (changed) events.push('USER_UPDATED');
  return events;
}
