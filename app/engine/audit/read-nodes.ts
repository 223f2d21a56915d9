import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { lookupIn, type NodeLookup, type NodeRef, nodeKey } from '#app/domain/audit/merkle.ts';

/** Reads the nodes asked for, at once. A lookup of one that is not stored throws a RangeError: the log has a hole. */
export async function readNodes(db: Db, workspaceId: string, refs: readonly NodeRef[]): Promise<NodeLookup> {
  const known = new Map<string, Uint8Array>();
  if (refs.length > 0) {
    const distinct = [...new Map(refs.map((ref) => [nodeKey(ref), ref])).values()];
    const found = await sql<{ level: number; idx: number; hash: Uint8Array }>`
      select n.level, n.idx, n.hash from quorate.audit_nodes n
      join unnest(${distinct.map((ref) => ref.level)}::int[], ${distinct.map((ref) => ref.index)}::bigint[]) as w (level, idx) on n.level = w.level and n.idx = w.idx
      where n.workspace_id = ${workspaceId}`.execute(db);
    for (const row of found.rows) known.set(nodeKey({ level: row.level, index: row.idx }), row.hash);
  }
  return lookupIn(known);
}
