import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { gatewayDocumentSchema } from '#app/engine/gateways/gateway-document.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

/** A tool of a gateway in force: each call is a run of `workflow`. `definition`: as its peer states it and somebody approved it. */
export type GatewayServes = { name: string; title: string; description: string; definition: Json; workflow: ServedWorkflow };
export type ServedGateway = { id: string; name: string; description: string; tools: GatewayServes[] };

type Row = {
  gateway_id: string;
  gateway: string;
  gateway_description: string;
  tool: string | null;
  title: string;
  description: string;
  definition: Json;
  version_id: string;
  number: number | null;
  document: Json;
};

/**
 * The gateway at this address of the caller's workspace with its tools in force, or with one of them; null where there is none, it is
 * paused, or it is not for the caller's roles.
 */
export async function readServedGateway(
  db: Db,
  { workspaceId, address, tool }: { workspaceId: string; address: string; tool: string | null },
): Promise<ServedGateway | null> {
  const { rows } = await sql<Row>`select * from quorate.read_gateway(${workspaceId}, ${address}, ${tool})`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  const { gateway_id: id, gateway: name, gateway_description: description } = first;
  const tools = rows.flatMap((row): GatewayServes[] => {
    if (row.tool === null) return [];
    const document = gatewayDocumentSchema.parse(row.document);
    const workflow = { id, name, description, versionId: row.version_id, version: row.number ?? 0, document };
    return [{ name: row.tool, title: row.title, description: row.description, definition: row.definition, workflow }];
  });
  return { id, name, description, tools };
}
