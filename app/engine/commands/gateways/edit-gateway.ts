import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { ADDRESS_TAKEN, gatewayColumns, gatewaySettings } from '#app/engine/commands/gateways/gateway-input.ts';
import { readGateway } from '#app/engine/gateways/read-gateways.ts';

/** Changes whom a gateway is for, where it is reached and how it is called. Holds from the next call on. */
export const editGateway = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: gatewaySettings.extend({ gateway: idSchema }),
  actions: ['gateway.edited'],
  changes: ['quorate.artifacts', 'quorate.gateways'],
  repeat: 'overwrites',
  refusals: ADDRESS_TAKEN,
  async change({ db, now }, { gateway, name, description, callsAtOnce, ...settings }) {
    const before = await readGateway(db, gateway);
    const changed = await db
      .updateTable('quorate.artifacts')
      .set({ name, description, runs_at_once: callsAtOnce, updated_at: now() })
      .where('id', '=', gateway)
      .where('kind', '=', 'gateway')
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('not_found');
    await db.updateTable('quorate.gateways').set(gatewayColumns(settings)).where('artifact_id', '=', gateway).execute();
    const { id: _id, description: _description, status: _status, tools: _tools, ...seen } = before;
    return {
      result: null,
      event: {
        action: 'gateway.edited',
        resource: { kind: 'gateway', id: gateway, name },
        payload: { from: seen, to: { name, callsAtOnce, ...settings } },
      },
    };
  },
});
