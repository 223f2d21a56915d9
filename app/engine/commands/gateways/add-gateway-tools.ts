import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { toolRules } from '#app/domain/workflows/steps/tool-step.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { freezeTool } from '#app/engine/gateways/freeze-tool.ts';
import { toolName } from '#app/engine/gateways/gateway-document.ts';
import { listGatewayTools, readGateway } from '#app/engine/gateways/read-gateways.ts';
import { RESERVED_GATEWAY_TOOLS } from '#app/engine/serving/tool-names.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';

/** Of one gateway, and put in at once. */
export const MOST_GATEWAY_TOOLS = 5_000;
export const MOST_ADDED_AT_ONCE = 200;

/** Puts approved tools into a gateway, under names of their own where they are free. Those that it has already stay as they are. */
export const addGatewayTools = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: z.object({ gateway: idSchema, capabilities: z.array(idSchema).min(1).max(MOST_ADDED_AT_ONCE) }),
  actions: ['gateway.toolsAdded'],
  changes: ['quorate.artifacts', 'quorate.versions', 'quorate.gateway_tools'],
  repeat: 'overwrites',
  async change(call, { gateway: id, capabilities }) {
    const { db, principal, newId } = call;
    const gateway = await readGateway(db, id);
    const tools = await listGatewayTools(db, id);
    const has = new Set(tools.map(({ capabilityId }) => capabilityId));
    const wanted = new Set(capabilities.filter((capability) => !has.has(capability)));
    const items = (await loadCatalogueItems(db)).filter((item) => wanted.has(item.id));
    const fit = items.filter(({ approved, protocol }) => approved && toolRules.protocols.includes(protocol));
    if (fit.length < wanted.size) throw refusal('conflict', 'gatewayToolNotApproved');
    if (tools.length + fit.length > MOST_GATEWAY_TOOLS)
      throw refusal('invalid_input', 'tooManyGatewayTools', { values: { maximum: MOST_GATEWAY_TOOLS } });
    const taken = new Set([...RESERVED_GATEWAY_TOOLS, ...tools.map(({ name }) => name)]);
    for (const item of fit) {
      const name = toolName(item, taken);
      taken.add(name);
      const versionId = await freezeTool(call, id, item, { name, fixed: {} });
      await db
        .insertInto('quorate.gateway_tools')
        .values({
          id: newId(),
          workspace_id: principal.workspace.id,
          gateway_id: id,
          capability_id: item.id,
          name,
          fixed: JSON.stringify({}),
          fingerprint: item.fingerprint,
          version_id: versionId,
        })
        .execute();
    }
    return {
      result: { added: fit.length },
      event: {
        action: 'gateway.toolsAdded',
        resource: { kind: 'gateway', id, name: gateway.name },
        payload: { tools: fit.map(({ connection, capability }) => `${connection}/${capability}`) },
      },
    };
  },
});
