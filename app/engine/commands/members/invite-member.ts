import { z } from 'zod';
import type { Role } from '#app/contracts/people.ts';
import { INVITATION_DAYS } from '#app/domain/people/invitation.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';
import { refusal } from '#app/domain/refusal.ts';
import { createInvitationToken } from '#app/engine/account/invitation-token.ts';
import { type CommandCall, defineCommand } from '#app/engine/commands/command.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_EMAIL_LENGTH = 254;
/** Of a membership with an end. */
const MEMBERSHIP_MAX_DAYS = 366;

/** The mail of an invitation, in the words of whoever sends it. */
export type WriteInvitation = (invitation: { roles: readonly Role[]; token: string; expiresAt: Date; until: Date | null }) => {
  subject: string;
  text: string;
};

/**
 * Invites an address with a set of roles: the invitation and its mail commit together. An open invitation of the same address is withdrawn
 * by it, so that one link at a time works. `until`: the first moment after the membership that it leads to, at most a year ahead; null for
 * one without an end, as an admin's always is.
 */
export const inviteMember = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    email: z.email().max(MAX_EMAIL_LENGTH).toLowerCase(),
    roles: roleSetSchema,
    until: z.date().nullable().default(null),
    writeMail: z.custom<WriteInvitation>((value) => typeof value === 'function'),
  }),
  actions: ['invitation.sent'],
  changes: ['quorate.invitations', 'quorate.deliveries'],
  repeat: 'repeats',
  async change(call, { email, roles, until, writeMail }) {
    const { db, principal, newId, now } = call;
    const workspaceId = principal.workspace.id;
    requireEnd(call, roles, until);
    await requireStranger(call, email);
    await withdrawOpen(call, email);
    const id = newId();
    const { token, hash } = createInvitationToken();
    const expiresAt = new Date(now().getTime() + INVITATION_DAYS * DAY_MS);
    const mail = writeMail({ roles, token, expiresAt, until });
    await db
      .insertInto('quorate.invitations')
      .values({
        ...{ id, workspace_id: workspaceId, email, roles, token_hash: hash },
        ...{ invited_by: principal.userId, expires_at: expiresAt, member_until: until },
      })
      .execute();
    await db
      .insertInto('quorate.deliveries')
      .values({ id: newId(), workspace_id: workspaceId, kind: 'mail', target: email, subject: mail.subject, body: mail.text })
      .execute();
    const payload = { roles, ...(until !== null && { until: until.toISOString() }) };
    return { result: { id }, event: { action: 'invitation.sent', resource: { kind: 'invitation', id, name: email }, payload } };
  },
});

function requireEnd({ now }: CommandCall, roles: readonly Role[], until: Date | null): void {
  if (until === null) return;
  if (roles.includes('admin')) throw refusal('invalid_input', 'adminHasNoEnd', { field: 'until' });
  const ahead = until.getTime() - now().getTime();
  if (ahead <= 0 || ahead > MEMBERSHIP_MAX_DAYS * DAY_MS) throw refusal('invalid_input', 'membershipEnd', { field: 'until' });
}

async function requireStranger({ db, principal }: CommandCall, email: string): Promise<void> {
  const present = await db
    .selectFrom('quorate.members')
    .select('user_id')
    .where('workspace_id', '=', principal.workspace.id)
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email))
    .executeTakeFirst();
  if (present !== undefined) throw refusal('invalid_input', 'alreadyMember', { field: 'email' });
}

async function withdrawOpen({ db, principal, now }: CommandCall, email: string): Promise<void> {
  await db
    .updateTable('quorate.invitations')
    .set({ withdrawn_at: now() })
    .where('workspace_id', '=', principal.workspace.id)
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email))
    .where('accepted_at', 'is', null)
    .where('declined_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute();
}
