import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { ADDRESS_TAKEN, gatewayColumns, gatewaySettings } from '#app/engine/commands/gateways/gateway-input.ts';
import { MOST_GATEWAYS } from '#app/engine/gateways/read-gateways.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';

/** Makes a gateway, which is open at once and serves nothing until it has tools. */
export const createGateway = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: gatewaySettings.extend({ id: z.uuid() }),
  actions: ['gateway.created'],
  changes: ['quorate.artifacts', 'quorate.versions', 'quorate.gateways'],
  repeat: 'byId',
  refusals: ADDRESS_TAKEN,
  async change({ db, principal, newId }, { id, name, description, callsAtOnce, ...settings }) {
    const { id: workspaceId } = principal.workspace;
    const known = await db
      .selectFrom('quorate.artifacts')
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'gateway')
      .where('deleted_at', 'is', null)
      .select('id')
      .limit(MOST_GATEWAYS)
      .execute();
    if (known.length >= MOST_GATEWAYS) throw refusal('invalid_input', 'tooManyGateways', { values: { maximum: MOST_GATEWAYS } });
    await db
      .insertInto('quorate.artifacts')
      .values({ id, workspace_id: workspaceId, kind: 'gateway', name, description, owner_id: principal.userId })
      .execute();
    const empty = { id: newId(), workspaceId, artifactId: id, authorId: principal.userId, document: EMPTY_WORKFLOW, publish: true };
    const version = await freezeVersion(db, empty);
    await db
      .updateTable('quorate.artifacts')
      .set({ published_version_id: version.id, status: 'active', runs_at_once: callsAtOnce })
      .where('id', '=', id)
      .execute();
    await db
      .insertInto('quorate.gateways')
      .values({ artifact_id: id, workspace_id: workspaceId, ...gatewayColumns(settings) })
      .execute();
    return {
      result: { id },
      event: { action: 'gateway.created', resource: { kind: 'gateway', id, name }, payload: { ...settings, callsAtOnce } },
    };
  },
});
