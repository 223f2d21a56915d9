import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type GatewayDocument, gatewayDocumentSchema } from '#app/engine/gateways/gateway-document.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

/** A tool of a gateway in force: each call is a run of `workflow`. `definition`: as its peer states it and somebody approved it. */
export type GatewayServes = { name: string; title: string; description: string; definition: Json; workflow: ServedWorkflow };
/**
 * A gateway as a caller finds it. `admitted`: it is for this caller. `wait`: it takes none of the calls of this message for so many seconds,
 * since its pace, calls a minute of one caller or of the whole gateway, is used up. Without admission, and while it waits, it has no tools.
 */
export type ServedGateway = {
  id: string;
  name: string;
  description: string;
  admitted: boolean;
  wait: { seconds: number; of: 'caller' | 'gateway'; pace: number } | null;
  tools: GatewayServes[];
};
/** Which of its tools: by name, or a page of `limit` by name behind `after`. `calls`: how many calls are counted against its pace. */
export type ServedPart = { tools: readonly string[]; calls: number } | { after: string; limit: number };

type Row = {
  gateway_id: string;
  gateway: string;
  gateway_description: string;
  admitted: boolean;
  wait: number;
  paced: 'caller' | 'gateway' | null;
  pace: number | null;
  tool: string | null;
  title: string;
  description: string;
  definition: Json;
  version_id: string;
  number: number | null;
  document: Json;
};

/** The gateway at this address of the caller's workspace with a part of its tools in force; null where there is none, or it is paused. */
export async function readServedGateway(
  db: Db,
  { workspaceId, address, part }: { workspaceId: string; address: string; part: ServedPart },
): Promise<ServedGateway | null> {
  const asked = 'tools' in part ? { ...part, after: '', limit: 0 } : { ...part, tools: null, calls: 0 };
  const { rows } = await sql<Row>`select * from quorate.read_gateway(
    ${workspaceId}, ${address}, ${asked.tools}, ${asked.calls}, ${asked.after}, ${asked.limit})`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  const { gateway_id: id, gateway: name, gateway_description: description, admitted, wait, paced, pace } = first;
  const tools = rows.flatMap((row): GatewayServes[] => {
    if (row.tool === null) return [];
    const document = gatewayDocumentSchema.parse(row.document);
    const workflow = { id, name, description, versionId: row.version_id, version: row.number ?? 0, document };
    return [{ name: row.tool, title: row.title, description: row.description, definition: row.definition, workflow }];
  });
  const waits = wait > 0 && paced !== null && pace !== null ? { seconds: wait, of: paced, pace } : null;
  return { id, name, description, admitted, wait: waits, tools };
}

/** The tools in force that hold these words, the best first; none where the gateway is not there or not for the caller. */
export async function searchServedGateway(
  db: Db,
  { workspaceId, address, words, limit }: { workspaceId: string; address: string; words: readonly string[]; limit: number },
): Promise<{ name: string; title: string; description: string; document: GatewayDocument }[]> {
  const { rows } = await sql<Pick<Row, 'title' | 'description' | 'document'> & { tool: string }>`
    select * from quorate.search_gateway_tools(${workspaceId}, ${address}, ${words}, ${limit})`.execute(db);
  return rows.map(({ tool, title, description, document }) => ({
    ...{ name: tool, title, description },
    document: gatewayDocumentSchema.parse(document),
  }));
}

/** Another one whenever the list of its tools may be another one, or it is for others. */
export async function readGatewayMark(db: Db, gateway: string): Promise<string> {
  const { rows } = await sql<{ mark: string | null }>`select quorate.gateway_mark(${gateway}) as mark`.execute(db);
  return rows[0]?.mark ?? '';
}
