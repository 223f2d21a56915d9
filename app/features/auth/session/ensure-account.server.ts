import type { RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/contracts/identity.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { admitsAddress } from '#app/domain/people/registration.ts';
import { makeAccount } from '#app/engine/commands/account/make-account.ts';
import { joinByDirectory } from '#app/engine/commands/directory/join-by-directory.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { withFreeSlug } from '#app/engine/workspaces/with-free-slug.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

const MAX_NAME_LENGTH = 120;

/**
 * Membership where a company's directory has them, else profile, and a workspace of one's own where one is admin and builder, for an account that has none and may found one. Safe to call
 * again: who has a workspace keeps it.
 * @param name what the person called themselves at sign-up; without it the part of the e-mail before the @ stands in
 */
export async function ensureAccount(context: Readonly<RouterContextProvider>, user: SessionUser, name?: string): Promise<void> {
  const services = context.get(servicesContext);
  const t = getTranslator(context, 'auth');
  const called = (name?.trim() || nameFromEmail(user.email)).slice(0, MAX_NAME_LENGTH);
  await performAsNobody(joinByDirectory, services, { user: user.id, session: user.sessionId, name: called });
  const workspaceName = t('ownWorkspaceName', { name: called }).slice(0, MAX_NAME_LENGTH);
  const founds = !admitsAddress(services.registration, user.email) ? 'never' : services.founders === 'anyone' ? 'always' : 'first';
  const account = { user: user.id, email: user.email, name: called, workspaceName, founds } as const;
  await withFreeSlug(called, (slug) => performAsNobody(makeAccount, services, { ...account, slug }));
}

function nameFromEmail(email: string): string {
  return email.split('@')[0] || email;
}
