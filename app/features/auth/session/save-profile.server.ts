import type { RequestAuth } from '#app/contracts/identity.ts';
import { forgetProfile } from '#app/features/auth/session/load-session.server.ts';

/**
 * Upserts one's own profile. The fields are picked here by name: whatever else a form may hold, `role` above all, never reaches the row (and a
 * trigger in the database holds that too).
 */
export async function saveProfile(
  auth: Pick<RequestAuth, 'client' | 'user'>,
  changes: { displayName: string },
): Promise<{ message: string } | null> {
  if (auth.user === null) return { message: 'No user logged in' };
  const { error } = await auth.client.from('profiles').upsert({ id: auth.user.id, display_name: changes.displayName });
  forgetProfile(auth.user.id);
  return error === null ? null : { message: error.message };
}
