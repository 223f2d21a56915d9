import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { readReason, toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { approveOffered } from '#app/engine/commands/connections/approve-offered.ts';
import { pausePeer } from '#app/engine/commands/connections/pause-peer.ts';
import { permitPersonalData } from '#app/engine/commands/connections/permit-personal-data.ts';
import { permitRepeatedCalls } from '#app/engine/commands/connections/permit-repeated-calls.ts';
import { withdrawApproved } from '#app/engine/commands/connections/withdraw-approved.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };
type Command = Omit<Arguments, 'request'> & { row: Awaited<ReturnType<typeof readConnection>>; page: string };

/** A capability as it was shown: its id and the fingerprint that is approved with it. */
const shownSchema = z
  .string()
  .regex(/^[0-9a-f-]{36}:[0-9a-f]{64}$/)
  .transform((text) => ({ id: text.slice(0, 36), fingerprint: text.slice(37) }));

const reason = z.string().max(CONTROL_REASON_MAX);

const commandSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('check') }),
  z.object({ intent: z.literal('pause') }),
  z.object({ intent: z.literal('resume') }),
  z.object({ intent: z.literal('approve'), capability: z.array(shownSchema).max(500), reason }),
  z.object({ intent: z.literal('approveAll'), offered: z.array(shownSchema).min(1).max(500), reason }),
  z.object({ intent: z.literal('withdraw'), subject: z.uuid() }),
  z.object({ intent: z.literal('allowPersonalData'), reason }),
  z.object({ intent: z.literal('forbidPersonalData') }),
  z.object({ intent: z.literal('allowRepeat'), reason }),
  z.object({ intent: z.literal('forbidRepeat') }),
]);

/** The commands of a connection's page. Each redirects back to it, except one that needs a reason and has none: the page keeps what was ticked. */
export async function connectionCommandAction({ request, params, context, kind }: Arguments) {
  const form = await request.formData();
  // A button carries one value: the action, and its capability where that matters.
  const [intent, subject] = String(form.get('intent')).split(':');
  const command = commandSchema.safeParse({
    intent,
    subject,
    capability: form.getAll('capability'),
    offered: form.getAll('offered'),
    reason: readReason(form),
  });
  if (!command.success) throw data({ code: 'invalid_input' }, { status: 400 });
  const row = await readConnection({ params, context, kind });
  const given: Command = { params, context, kind, row, page: href(`${CONNECTION_AREAS[kind].base}/:connection`, { connection: row.id }) };
  const { member } = context.get(memberContext);
  const checks = ['check', 'pause', 'resume'].includes(command.data.intent);
  const allowed = can(member.roles, checks ? 'manageConnection' : 'approveCapability');
  if (!allowed) throw data({ code: 'forbidden' }, { status: 403 });
  try {
    switch (command.data.intent) {
      case 'check':
        return await check(given);
      case 'pause':
        return await pause(given, true);
      case 'resume':
        return await pause(given, false);
      case 'approve':
        if (command.data.capability.length === 0) return redirectWithNotice(given.page, 'capabilityNoneChosen', { kind: 'attention' });
        return await approve(given, command.data.capability, command.data.reason);
      case 'approveAll':
        return await approve(given, command.data.offered, command.data.reason);
      case 'withdraw':
        return await withdraw(given, command.data.subject);
      case 'allowPersonalData':
        return await permit(given, true, command.data.reason);
      case 'forbidPersonalData':
        return await permit(given, false, '');
      case 'allowRepeat':
        return await permitRepeat(given, true, command.data.reason);
      case 'forbidRepeat':
        return await permitRepeat(given, false, '');
    }
  } catch (error) {
    if (error instanceof Refusal && error.field === 'reason')
      return data({ reasonMissing: { of: command.data.intent, ticked: form.getAll('capability').map(String) } }, 400);
    if (error instanceof Refusal && error.reasons[0]?.key === 'changeWaitsAlready')
      return redirectWithNotice(given.page, 'changeWaitsAlready', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(given.page, 'connectionChangedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'not_found') throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}

const CHECKED = {
  unchanged: { notice: 'connectionUnchanged', kind: 'ok' },
  news: { notice: 'connectionHasNews', kind: 'attention' },
  failed: { notice: 'connectionCheckFailed', kind: 'danger' },
} as const;

async function check({ context, kind, row, page }: Command) {
  const { id, name, endpoint, sealed_credential: sealedCredential, settings } = row;
  const connection = { id, kind, name, endpoint, sealedCredential, settings };
  const principal = memberPrincipal(context.get(memberContext));
  const { notice, kind: tone } = CHECKED[await checkConnection(principal, context.get(servicesContext), connection)];
  return redirectWithNotice(page, notice, { kind: tone });
}

const named = ({ row: { id, name } }: Command) => ({ id, name });

async function pause(given: Command, paused: boolean) {
  await performAsMember(given.context, pausePeer, { connection: named(given), paused });
  return redirectWithNotice(given.page, paused ? 'connectionPaused' : 'connectionResumed');
}

async function approve(given: Command, shown: { id: string; fingerprint: string }[], said: string) {
  const approved = await performAsMember(given.context, approveOffered, { connection: named(given), shown, reason: said });
  if (approved.state === 'requested') return toAskedChange(approved.asked);
  return approved.missed === 0
    ? redirectWithNotice(given.page, 'capabilitiesApproved')
    : redirectWithNotice(given.page, 'capabilitiesApprovedSome', { kind: 'attention' });
}

async function withdraw(given: Command, capability: string) {
  await performAsMember(given.context, withdrawApproved, { connection: named(given), capability });
  return redirectWithNotice(given.page, 'capabilityWithdrawn');
}

async function permitRepeat(given: Command, allowed: boolean, said: string) {
  if (given.row.idempotent !== allowed) {
    const outcome = await performAsMember(given.context, permitRepeatedCalls, { connection: named(given), allowed, reason: said });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  }
  return redirectWithNotice(given.page, allowed ? 'repeatAllowed' : 'repeatForbidden');
}

async function permit(given: Command, allowed: boolean, said: string) {
  if (given.row.personal_data_allowed !== allowed) {
    const outcome = await performAsMember(given.context, permitPersonalData, { connection: named(given), allowed, reason: said });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  }
  return redirectWithNotice(given.page, allowed ? 'personalDataAllowed' : 'personalDataForbidden');
}
