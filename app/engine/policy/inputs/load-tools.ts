import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';

/** The input schemas of the workspace's approved tools, by `connection/tool`. */
export async function loadToolSchemas(db: Db, workspaceId: string): Promise<ToolSchemas> {
  const rows = await db
    .selectFrom('quorate.capabilities as k')
    .innerJoin('quorate.connections as c', 'c.id', 'k.connection_id')
    .select(['c.slug', 'k.name', 'k.input_schema'])
    .where('k.workspace_id', '=', workspaceId)
    .where('k.kind', '=', 'tool')
    .where('k.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .whereRef('k.approved_fingerprint', '=', 'k.fingerprint')
    .orderBy('c.slug')
    .orderBy('k.name')
    .execute();
  return new Map(rows.map(({ slug, name, input_schema }) => [`${slug}/${name}`, input_schema as Json | null]));
}
