import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { readGateway } from '#app/engine/gateways/read-gateways.ts';

/** Takes a tool out of a gateway. Its runs and their proof stay. */
export const removeGatewayTool = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: z.object({ gateway: idSchema, tool: idSchema }),
  actions: ['gateway.toolRemoved'],
  changes: ['quorate.gateway_tools'],
  repeat: 'refused',
  async change({ db }, { gateway: id, tool }) {
    const gateway = await readGateway(db, id);
    const removed = await db
      .deleteFrom('quorate.gateway_tools')
      .where('id', '=', tool)
      .where('gateway_id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (removed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'gateway.toolRemoved',
        resource: { kind: 'gateway', id, name: gateway.name },
        payload: { tool: removed.name },
      },
    };
  },
});
