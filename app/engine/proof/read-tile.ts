import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import type { TilePath } from '#app/domain/proof/tile-path.ts';

/** Nodes of the log are stored to this level; a tile of a higher one is empty. */
const MOST_LEVEL = 6;

/**
 * What stands at one address of a log (C2SP tlog-tiles), for whoever may read it: anybody where the workspace says so, otherwise its own
 * members and keys. Null: there is no such log, tile or part of it, or it is not for this reader, which nobody can tell apart.
 */
export async function readTile(db: Db, workspaceId: string, path: TilePath): Promise<Uint8Array | null> {
  if (path.kind === 'checkpoint') {
    const { rows } = await sql<{ note: string }>`select note from quorate.read_log_checkpoint(${workspaceId}::uuid)`.execute(db);
    return rows[0] === undefined ? null : new TextEncoder().encode(rows[0].note);
  }
  if (path.kind === 'entries') return await readEntries(db, workspaceId, path);
  if (path.level > MOST_LEVEL) return null;
  const { rows } = await sql<{ hash: Uint8Array }>`
    select hash from quorate.read_log_tile(${workspaceId}::uuid, ${path.level}::int, ${path.index}::bigint, ${path.width}::int)`.execute(
    db,
  );
  return rows.length < path.width ? null : Buffer.concat(rows.map((row) => row.hash));
}

/** Each entry is the canonical JSON that its leaf is the hash of, behind its length in two bytes. */
async function readEntries(db: Db, workspaceId: string, { index, width }: { index: number; width: number }): Promise<Uint8Array | null> {
  const { rows } = await sql<{ id: string; at: Date; body_digest: Uint8Array }>`
    select id, at, body_digest from quorate.read_log_entries(${workspaceId}::uuid, ${index}::bigint, ${width}::int)`.execute(db);
  if (rows.length < width) return null;
  const parts = rows.flatMap((row) => {
    const leaf = { v: 1, id: row.id, workspace: workspaceId, at: row.at.toISOString(), body: hex(row.body_digest) };
    const text = new TextEncoder().encode(canonicalJson(leaf));
    return [new Uint8Array([text.length >> 8, text.length & 0xff]), text];
  });
  return Buffer.concat(parts);
}
