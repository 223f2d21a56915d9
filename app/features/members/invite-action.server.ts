import { type ActionFunctionArgs, data, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { Role } from '#app/domain/roles.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { createInvitationToken, hashInvitationToken } from '#app/features/members/invitation-token.server.ts';
import { INVITATION_DAYS, inviteSchema } from '#app/features/members/roles-schema.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const INVITATION_LIMIT = { name: 'invitations', max: 50, windowSeconds: 3600 };

/**
 * Invites an address with a set of roles: the invitation, its mail and the audit event commit together. An invitation of the same address that
 * still stands is withdrawn by it, so that one link at a time works.
 */
export async function invite({ request, context }: ActionFunctionArgs) {
  const { member, change } = context.get(memberContext);
  const { access, newId, now, origin } = context.get(servicesContext);
  const parsed = await parseForm(request, inviteSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { roles } = parsed.value;
  const email = parsed.value.email.toLowerCase();
  const wait = await access.asNobody((db) => takeLimit(db, INVITATION_LIMIT, member.workspace.id));
  if (wait > 0) throw data({ code: 'over_limit', values: { seconds: wait } }, { status: 429 });
  const token = createInvitationToken();
  const hash = hashInvitationToken(token);
  if (hash === null) throw new Error('a token that is no token');
  const expiresAt = new Date(now().getTime() + INVITATION_DAYS * DAY_MS);
  const mail = writeMail(context, {
    inviter: member.name,
    workspace: member.workspace.name,
    roles,
    link: `${origin}/invitations/${token}`,
    expiresAt,
  });

  const sent = await change(async (db) => {
    const present = await db
      .selectFrom('quorate.members')
      .select('user_id')
      .where('workspace_id', '=', member.workspace.id)
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email))
      .executeTakeFirst();
    if (present !== undefined) throw new AlreadyMember();
    await db
      .updateTable('quorate.invitations')
      .set({ withdrawn_at: now() })
      .where('workspace_id', '=', member.workspace.id)
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email))
      .where('accepted_at', 'is', null)
      .where('declined_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .execute();
    const id = newId();
    await db
      .insertInto('quorate.invitations')
      .values({ id, workspace_id: member.workspace.id, email, roles, token_hash: hash, invited_by: member.userId, expires_at: expiresAt })
      .execute();
    await db
      .insertInto('quorate.deliveries')
      .values({ id: newId(), workspace_id: member.workspace.id, kind: 'mail', target: email, subject: mail.subject, body: mail.text })
      .execute();
    return { result: true, event: { action: 'invitation.sent', resource: { kind: 'invitation', id, name: email }, payload: { roles } } };
  }).catch((error: unknown) => {
    if (error instanceof AlreadyMember) return false;
    throw error;
  });
  if (!sent) return invalidForm(parsed.reply, { fieldErrors: { email: ['alreadyMember'] } });
  return redirectWithNotice('/dashboard/admin/members', 'invitationSent');
}

class AlreadyMember extends Error {}

type Invitation = { inviter: string; workspace: string; roles: readonly Role[]; link: string; expiresAt: Date };

/** In the language of the inviter's page: what the invited person reads is not known yet. */
function writeMail(context: Readonly<RouterContextProvider>, invitation: Invitation): { subject: string; text: string } {
  const t = getTranslator(context, 'mail');
  const roleWords = getTranslator(context, 'members');
  const { inviter, workspace } = invitation;
  const roles = new Intl.ListFormat(getLanguage(context)).format(invitation.roles.map((role) => roleWords(`role.${role}`)));
  const date = new Intl.DateTimeFormat(getLanguage(context), { dateStyle: 'long', timeZone: 'UTC' }).format(invitation.expiresAt);
  // A line break in a name would start a header of its own.
  const subject = t('invitationSubject', { inviter, workspace }).replace(/\s+/g, ' ');
  const lines = [
    t('invitationBody', { inviter, workspace }),
    t('invitationRoles', { roles }),
    '',
    t('invitationAction'),
    invitation.link,
    '',
    t('invitationExpires', { date }),
    t('invitationIgnore'),
    '',
  ];
  return { subject, text: lines.join('\n') };
}
