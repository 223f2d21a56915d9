import { data, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { may } from '#app/domain/roles.ts';
import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';
import { type BuiltinKind, CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Adds the built-in peer of one protocol; approved at once where the member may approve. */
export async function addBuiltinAction({
  request,
  context,
  kind,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
  kind: BuiltinKind;
}) {
  const { member, change } = context.get(memberContext);
  if ((await request.formData()).get('intent') !== 'addBuiltin') throw data({ code: 'invalid_input' }, { status: 400 });
  if (!may(member.roles, 'connect')) throw data({ code: 'forbidden' }, { status: 403 });
  const { newId, now } = context.get(servicesContext);
  const { base } = CONNECTION_AREAS[kind];
  const approvedBy = may(member.roles, 'approveCapability') ? member.userId : null;
  try {
    const id = await change(async (db) => {
      if (kind === 'a2a') await requireRoom(db, member.workspace.id, 'agents', now());
      const { added } = await seedBuiltinConnections(db, {
        workspaceId: member.workspace.id,
        ownerId: member.userId,
        approvedBy,
        newId,
        now,
        kinds: [kind],
      });
      const [connection] = added;
      // Somebody was quicker: nothing to record, so nothing is committed.
      if (connection === undefined) throw new AppError('conflict');
      return {
        result: connection.id,
        event: {
          action: 'connection.builtinAdded',
          resource: { kind: 'connection', id: connection.id, name: connection.name },
          payload: { approved: approvedBy !== null },
        },
      };
    });
    return redirectWithNotice(`${base}/${id}`, 'builtinAdded');
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(base, 'connectionChangedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'quota_exceeded') return redirectWithNotice(base, 'agentsFull', { kind: 'attention' });
    throw error;
  }
}
