import { type ActionFunctionArgs, data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { endOfDay } from '#app/domain/web/day-bounds.ts';
import { lastDay } from '#app/domain/web/last-day.ts';
import { inviteMember } from '#app/engine/commands/members/invite-member.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { inviteSchema } from '#app/features/members/roles-schema.ts';
import { performAsMember } from '#app/perform.server.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';

const INVITATION_LIMIT = { name: 'invitations', max: 50, windowSeconds: 3600 };

/** Invites an address, so many an hour. */
export async function inviteAction({ request, context }: ActionFunctionArgs) {
  const { member } = context.get(memberContext);
  const { access, origin } = context.get(servicesContext);
  const parsed = await parseForm(request, inviteSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const wait = await access.asNobody((db) => takeLimit(db, INVITATION_LIMIT, member.workspace.id));
  if (wait > 0) throw data({ code: 'over_limit', values: { seconds: wait } }, { status: 429 });
  const { until: day, zone, ...invited } = parsed.value;
  const until = day === undefined ? null : endOfDay(day, zone);
  if (day !== undefined && until === null) return invalidForm(parsed.reply, { fieldErrors: { until: ['membershipEnd'] } });
  const from = { inviter: member.name, workspace: member.workspace.name };
  try {
    await performAsMember(context, inviteMember, {
      ...invited,
      until,
      writeMail: ({ token, roles, expiresAt }) =>
        writeMail(context, {
          ...from,
          roles,
          expiresAt,
          lastDay: until === null ? null : { at: lastDay(until.toISOString()), zone },
          link: `${origin}${href('/invitations/:token', { token })}`,
        }),
    });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/admin/members'), 'invitationSent');
}

/** `lastDay`: of the membership, a moment of it as the inviter's zone has it. */
type Invitation = {
  inviter: string;
  workspace: string;
  roles: readonly Role[];
  link: string;
  expiresAt: Date;
  lastDay: { at: string; zone: string } | null;
};

/** In the language of the inviter's page: what the invited person reads is not known yet. */
function writeMail(context: Readonly<RouterContextProvider>, invitation: Invitation): { subject: string; text: string } {
  const t = getTranslator(context, 'mail');
  const roleWords = getTranslator(context, 'members');
  const { inviter, workspace, lastDay: last } = invitation;
  const roles = new Intl.ListFormat(getLanguage(context)).format(invitation.roles.map((role) => roleWords(`role.${role}`)));
  const dayOf = (at: Date, timeZone: string) => new Intl.DateTimeFormat(getLanguage(context), { dateStyle: 'long', timeZone }).format(at);
  // A line break in a name would start a header of its own.
  const subject = t('invitationSubject', { inviter, workspace }).replace(/\s+/g, ' ');
  const lines = [
    t('invitationBody', { inviter, workspace }),
    t('invitationRoles', { roles }),
    ...(last === null ? [] : [t('invitationLastDay', { date: dayOf(new Date(last.at), last.zone) })]),
    '',
    t('invitationAction'),
    invitation.link,
    '',
    t('invitationExpires', { date: dayOf(invitation.expiresAt, 'UTC') }),
    t('invitationIgnore'),
    '',
  ];
  return { subject, text: lines.join('\n') };
}
