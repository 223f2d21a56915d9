import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { may } from '#app/domain/roles.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import {
  allowPersonalData,
  allowRepeatedCalls,
  approveCapabilities,
  pauseConnection,
  withdrawCapability,
} from '#app/engine/connections/manage-connections.ts';
import { CONNECTION_AREAS, type ConnectionKind } from '#app/features/connections/connection-area.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Arguments = { request: Request; params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };
type Command = Omit<Arguments, 'request'> & { row: Awaited<ReturnType<typeof readConnection>>; page: string };

/** A capability as it was shown: its id and the fingerprint that is approved with it. */
const shownSchema = z
  .string()
  .regex(/^[0-9a-f-]{36}:[0-9a-f]{64}$/)
  .transform((text) => ({ id: text.slice(0, 36), fingerprint: text.slice(37) }));

const commandSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('check') }),
  z.object({ intent: z.literal('pause') }),
  z.object({ intent: z.literal('resume') }),
  z.object({ intent: z.literal('approve'), capability: z.array(shownSchema).max(500) }),
  z.object({ intent: z.literal('approveAll'), offered: z.array(shownSchema).min(1).max(500) }),
  z.object({ intent: z.literal('withdraw'), subject: z.uuid() }),
  z.object({ intent: z.literal('allowPersonalData') }),
  z.object({ intent: z.literal('forbidPersonalData') }),
  z.object({ intent: z.literal('allowRepeat') }),
  z.object({ intent: z.literal('forbidRepeat') }),
]);

/** What can be done to a connection on its page. Every command ends in a redirect back to it. */
export async function connectionCommandAction({ request, params, context, kind }: Arguments) {
  const form = await request.formData();
  // A button carries one value: what it does, and to which capability where that matters.
  const [intent, subject] = String(form.get('intent')).split(':');
  const command = commandSchema.safeParse({ intent, subject, capability: form.getAll('capability'), offered: form.getAll('offered') });
  if (!command.success) throw data({ code: 'invalid_input' }, { status: 400 });
  const row = await readConnection({ params, context, kind });
  const given: Command = { params, context, kind, row, page: `${CONNECTION_AREAS[kind].base}/${row.id}` };
  const { member } = context.get(memberContext);
  const checks = ['check', 'pause', 'resume'].includes(command.data.intent);
  const allowed = checks ? may(member.roles, 'connect') || member.roles.includes('admin') : may(member.roles, 'approveCapability');
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
        return await approve(given, command.data.capability);
      case 'approveAll':
        return await approve(given, command.data.offered);
      case 'withdraw':
        return await withdraw(given, command.data.subject);
      case 'allowPersonalData':
        return await permit(given, true);
      case 'forbidPersonalData':
        return await permit(given, false);
      case 'allowRepeat':
        return await permitRepeat(given, true);
      case 'forbidRepeat':
        return await permitRepeat(given, false);
    }
  } catch (error) {
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
  const { engine, newId, now } = context.get(servicesContext);
  const { member, read, change } = context.get(memberContext);
  const { id, name, endpoint, sealed_credential: sealedCredential, settings } = row;
  const connection = { id, workspaceId: member.workspace.id, kind, name, endpoint, sealedCredential, settings };
  const { notice, kind: tone } = CHECKED[await checkConnection({ engine, read, change, newId, now }, connection)];
  return redirectWithNotice(page, notice, { kind: tone });
}

async function pause({ context, row, page }: Command, paused: boolean) {
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const connection = { id: row.id, name: row.name, workspaceId: member.workspace.id };
  await change((db) => pauseConnection(db, connection, paused, now()));
  return redirectWithNotice(page, paused ? 'connectionPaused' : 'connectionResumed');
}

async function approve({ context, row, page }: Command, shown: readonly { id: string; fingerprint: string }[]) {
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const connection = { id: row.id, name: row.name, workspaceId: member.workspace.id };
  const { missed } = await change((db) => approveCapabilities(db, connection, shown, { approverId: member.userId, at: now() }));
  return missed === 0
    ? redirectWithNotice(page, 'capabilitiesApproved')
    : redirectWithNotice(page, 'capabilitiesApprovedSome', { kind: 'attention' });
}

async function withdraw({ context, row, page }: Command, capabilityId: string) {
  const { member, change } = context.get(memberContext);
  await change((db) => withdrawCapability(db, { id: row.id, name: row.name, workspaceId: member.workspace.id }, capabilityId));
  return redirectWithNotice(page, 'capabilityWithdrawn');
}

async function permitRepeat({ context, row, page }: Command, allowed: boolean) {
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  if (row.idempotent !== allowed) {
    await change((db) => allowRepeatedCalls(db, { id: row.id, name: row.name, workspaceId: member.workspace.id }, allowed, now()));
  }
  return redirectWithNotice(page, allowed ? 'repeatAllowed' : 'repeatForbidden');
}

async function permit({ context, row, page }: Command, allowed: boolean) {
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  if (row.personal_data_allowed !== allowed) {
    await change((db) => allowPersonalData(db, { id: row.id, name: row.name, workspaceId: member.workspace.id }, allowed, now()));
  }
  return redirectWithNotice(page, allowed ? 'personalDataAllowed' : 'personalDataForbidden');
}
