import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { GATEWAY_TOOL_NAME } from '#app/engine/commands/gateways/gateway-input.ts';
import { freezeTool } from '#app/engine/gateways/freeze-tool.ts';
import { argumentsOf } from '#app/engine/gateways/gateway-document.ts';
import { listGatewayTools, readGateway } from '#app/engine/gateways/read-gateways.ts';
import { RESERVED_GATEWAY_TOOLS } from '#app/engine/serving/tool-names.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';

/**
 * Names, describes and narrows a tool of a gateway, as it is approved now: a changed one is served again from then on.
 * @throws AppError not_found; Refusal where it is not approved, or has no such argument
 */
export const editGatewayTool = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: z.object({
    gateway: idSchema,
    tool: idSchema,
    name: z.string().regex(GATEWAY_TOOL_NAME),
    description: z.string().trim().max(2_000),
    /** Values of arguments that callers neither see nor send, as they were typed. */
    fixed: z.record(z.string().max(120), z.string().max(20_000)),
  }),
  actions: ['gateway.toolEdited'],
  changes: ['quorate.artifacts', 'quorate.versions', 'quorate.gateway_tools'],
  repeat: 'overwrites',
  refusals: { 23505: { code: 'conflict', field: 'name', reasons: [{ key: 'gatewayToolNameTaken' }] } },
  async change(call, { gateway: id, tool: toolId, name, description, fixed }) {
    const { db } = call;
    if (RESERVED_GATEWAY_TOOLS.includes(name)) throw refusal('conflict', 'gatewayToolNameTaken', { field: 'name' });
    const gateway = await readGateway(db, id);
    const tool = (await listGatewayTools(db, id)).find((one) => one.id === toolId);
    if (tool === undefined) throw new AppError('not_found');
    const item = (await loadCatalogueItems(db)).find((one) => one.id === tool.capabilityId);
    if (item === undefined || !item.approved) throw refusal('conflict', 'gatewayToolNotApproved');
    const known = argumentsOf(item.inputSchema);
    const unknown = Object.keys(fixed).find((argument) => !known.has(argument));
    if (unknown !== undefined) throw refusal('invalid_input', 'gatewayArgumentUnknown', { values: { argument: unknown } });
    const versionId = await freezeTool(call, id, item, { name, fixed });
    await db
      .updateTable('quorate.gateway_tools')
      .set({ name, description, fixed: JSON.stringify(fixed), fingerprint: item.fingerprint, version_id: versionId })
      .where('id', '=', toolId)
      .execute();
    return {
      result: null,
      event: {
        action: 'gateway.toolEdited',
        resource: { kind: 'gateway', id, name: gateway.name },
        payload: { tool: name, was: tool.name, capability: `${item.connection}/${item.capability}`, fixed: Object.keys(fixed).sort() },
      },
    };
  },
});
