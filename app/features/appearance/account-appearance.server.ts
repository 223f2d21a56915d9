import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { type Appearance, appearanceOf } from '#app/domain/people/appearance.ts';
import { performAsPerson } from '#app/engine/commands/perform.ts';
import { keepAppearance } from '#app/engine/commands/personal/keep-appearance.ts';

type Context = Readonly<RouterContextProvider>;

/**
 * The settings stored with the account; null where there are none, or where it cannot be reached: appearance is no reason to refuse a page.
 */
export async function loadFromAccount(context: Context, user: SessionUser): Promise<Appearance | null> {
  return unlessOut(context, () =>
    asUser(
      context,
      user,
    )(async (db) => {
      const row = await db.selectFrom('quorate.preferences').select('settings').where('user_id', '=', user.id).executeTakeFirst();
      const settings = row?.settings;
      return typeof settings === 'object' && settings !== null && 'appearance' in settings ? appearanceOf(settings.appearance) : null;
    }),
  );
}

/** Keeps `chosen` with the account, beside whatever else its preferences hold; all of `appearance` where it has kept nothing yet. */
export async function keepForAccount(
  context: Context,
  user: SessionUser,
  appearance: Appearance,
  chosen: Partial<Appearance>,
): Promise<void> {
  const person = { userId: user.id, write: asUser(context, user) };
  await unlessOut(context, () => performAsPerson(keepAppearance, person, context.get(servicesContext), { appearance, chosen }));
}

const asUser =
  (context: Context, { id: userId, sessionId }: SessionUser) =>
  <T>(work: (db: Db) => Promise<T>) =>
    context.get(servicesContext).access.asMember({ userId, sessionId, workspaceId: null }, work);

/** Null where the account cannot be reached. */
async function unlessOut<T>(context: Context, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // A session that was ended elsewhere is refused where it asks for more than looks.
    if (!(error instanceof AppError && error.code === 'unauthenticated'))
      context
        .get(servicesContext)
        .log.warn('appearance of an account could not be reached', { code: error instanceof Error ? error.name : 'unknown' });
    return null;
  }
}
