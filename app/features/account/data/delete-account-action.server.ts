import { setTimeout as pause } from 'node:timers/promises';
import { type ActionFunctionArgs, data, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, clientContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { deleteAccount, LOG_BEHIND } from '#app/engine/commands/account/delete-account.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { deleteAccountSchema } from '#app/features/account/account-schemas.ts';
import { avatarFolder } from '#app/features/account/profile/change-picture-action.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** Events get their place in the log within a second, and can be erased only then. */
const LOG_TRIES = 20;
const LOG_PAUSE_MS = 250;

/** Erases the account after its address was typed and its password given. A farewell goes to the address that is forgotten here. */
export async function deleteAccountAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, deleteAccountSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member } = context.get(memberContext);
  const { confirmation, currentPassword } = parsed.value;
  if (confirmation.toLowerCase() !== member.email.toLowerCase())
    return invalidForm(parsed.reply, { fieldErrors: { confirmation: ['confirmationDiffers'] } });
  const refusal = await context.get(authContext).provePassword(currentPassword);
  if (refusal !== null) return invalidForm(parsed.reply, { fieldErrors: { [refusal.field]: refusal.messages } });
  try {
    await erase(context, member);
  } catch (error) {
    if (isSqlState(error, LOG_BEHIND)) throw data({ code: 'unavailable' }, { status: 503, headers: { 'Retry-After': '5' } });
    return refusedForm(parsed.reply, error);
  }
  await removeFiles(context, member.userId);
  await sayFarewell(context, member.email);
  const { identity } = context.get(servicesContext);
  const headers = identity.clearCookie(request.headers.get('Cookie'), context.get(clientContext).secure);
  return redirectWithNotice(href('/'), 'accountDeleted', { headers });
}

async function erase(context: ActionFunctionArgs['context'], member: { userId: string; sessionId: string }): Promise<void> {
  const services = context.get(servicesContext);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await performAsNobody(deleteAccount, services, { user: member.userId, session: member.sessionId });
      return;
    } catch (error) {
      if (attempt >= LOG_TRIES || !isSqlState(error, LOG_BEHIND)) throw error;
      await pause(LOG_PAUSE_MS);
    }
  }
}

/** Data outside the database. A failing store rolls nothing back: nobody can be shown the file any longer. */
async function removeFiles(context: ActionFunctionArgs['context'], userId: string): Promise<void> {
  const { files, log } = context.get(servicesContext);
  try {
    await files.remove(await files.list(avatarFolder(userId)));
  } catch (error) {
    log.error('files of a deleted account could not be removed', { error });
  }
}

/** A mail that fails undoes nothing: the account is gone. */
async function sayFarewell(context: ActionFunctionArgs['context'], email: string): Promise<void> {
  const { mailer, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  try {
    await mailer.send({ to: email, subject: t('farewellSubject'), text: [t('farewellBody'), '', t('farewellKept'), ''].join('\n') });
  } catch (error) {
    log.error('the farewell could not be sent', { error });
  }
}
