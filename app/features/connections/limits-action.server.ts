import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { limitCalls } from '#app/engine/commands/connections/limit-calls.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { limitsSchema } from '#app/features/connections/limits-schema.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

/** The limits of a connection's calls, for members who may change them. */
export async function loadLimits(given: Arguments) {
  const { id, name, calls_at_once: atOnce, calls_a_minute: aMinute } = await readLimited(given);
  return { kind: given.kind, id, name, atOnce, aMinute };
}
export type LoadedLimits = Awaited<ReturnType<typeof loadLimits>>;

/** Saves both limits; an empty field takes its limit away. */
export async function limitsAction({ request, ...given }: Arguments & { request: Request }) {
  const row = await readLimited(given);
  const parsed = await parseForm(request, limitsSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { atOnce = null, aMinute = null } = parsed.value;
  await performAsMember(given.context, limitCalls, { connection: row.id, atOnce, aMinute });
  return redirectWithNotice(href(`${CONNECTION_AREAS[given.kind].base}/:connection`, { connection: row.id }), 'connectionLimited');
}

async function readLimited(given: Arguments) {
  if (!can(given.context.get(memberContext).member.roles, 'manageConnection')) throw data({ code: 'forbidden' }, { status: 403 });
  return readConnection(given);
}
