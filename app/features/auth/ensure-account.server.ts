import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { isSqlState } from '#app/engine/sql-state.ts';
import { slugFor } from '#app/engine/workspaces/slug-for.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { type SessionUser, servicesContext } from '#app/request-context.ts';

const UNIQUE_VIOLATION = '23505';
const SLUG_TRIES = 5;
const MAX_NAME_LENGTH = 120;

/**
 * Profile, and a workspace of one's own where one is admin and builder, for an account that has none. Safe to call again: who has a
 * workspace keeps it.
 * @param name what the person called themselves at sign-up; without it the part of the e-mail before the @ stands in
 */
export async function ensureAccount(
  context: Readonly<RouterContextProvider>,
  user: Pick<SessionUser, 'id' | 'email'>,
  name?: string,
): Promise<void> {
  const { access, newId } = context.get(servicesContext);
  const t = getTranslator(context, 'auth');
  const called = (name?.trim() || nameFromEmail(user.email)).slice(0, MAX_NAME_LENGTH);
  const workspaceName = t('ownWorkspaceName', { name: called }).slice(0, MAX_NAME_LENGTH);
  for (let attempt = 1; ; attempt += 1) {
    const slug = slugFor(called, attempt > 1);
    try {
      await access.asNobody((db) =>
        sql`select quorate.ensure_account(${user.id}::uuid, ${user.email}, ${called}, ${newId()}::uuid, ${workspaceName}, ${slug}, ${newId()}::uuid)`.execute(
          db,
        ),
      );
      return;
    } catch (error) {
      if (attempt >= SLUG_TRIES || !isSqlState(error, UNIQUE_VIOLATION)) throw error;
    }
  }
}

function nameFromEmail(email: string): string {
  return email.split('@')[0] || email;
}
