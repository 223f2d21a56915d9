import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { type Appearance, appearanceOf } from '#app/domain/appearance.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Db } from '#app/engine/db.ts';
import { type SessionUser, servicesContext } from '#app/request-context.ts';

type Context = Readonly<RouterContextProvider>;

/** What the account has kept; null where it has kept nothing, or cannot be asked: looks are no reason to refuse a page. */
export async function loadFromAccount(context: Context, user: SessionUser): Promise<Appearance | null> {
  return asUser(context, user, async (db) => {
    const row = await db.selectFrom('quorate.preferences').select('settings').where('user_id', '=', user.id).executeTakeFirst();
    const settings = row?.settings;
    return typeof settings === 'object' && settings !== null && 'appearance' in settings ? appearanceOf(settings.appearance) : null;
  });
}

/** Keeps `chosen` with the account, beside whatever else its preferences hold; all of `appearance` where it has kept nothing yet. */
export async function keepForAccount(
  context: Context,
  user: SessionUser,
  appearance: Appearance,
  chosen: Partial<Appearance>,
): Promise<void> {
  await asUser(context, user, async (db) => {
    await db
      .insertInto('quorate.preferences')
      .values({ user_id: user.id, settings: JSON.stringify({ appearance }) })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          settings: sql`preferences.settings || jsonb_build_object('appearance',
            coalesce(preferences.settings -> 'appearance', excluded.settings -> 'appearance') || ${JSON.stringify(chosen)}::jsonb)`,
          updated_at: sql`now()`,
        }),
      )
      .execute();
    return null;
  });
}

async function asUser<T>(context: Context, user: SessionUser, work: (db: Db) => Promise<T>): Promise<T | null> {
  const { access, log } = context.get(servicesContext);
  try {
    return await access.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: null }, work);
  } catch (error) {
    // A session that was ended elsewhere is turned away where it asks for something of weight.
    if (!(error instanceof AppError && error.code === 'unauthenticated'))
      log.warn('appearance of an account could not be reached', { code: error instanceof Error ? error.name : 'unknown' });
    return null;
  }
}
