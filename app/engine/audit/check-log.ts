/** Compares a stored log with what this instance signed. Each function answers the first fault that it finds, or null. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { LogMark, LogSigner } from '#app/contracts/ports.ts';
import type { AuditEventsTable } from '#app/contracts/tables.ts';
import { bodyDigest, eventLeafHash, hex } from '#app/domain/audit/audit-leaf.ts';
import { checkpointOrigin } from '#app/domain/audit/checkpoint.ts';
import { LOG_GUARDS, type LogFinding } from '#app/domain/audit/log-finding.ts';
import { hashPart, nodeHash, nodeKey, rootPart } from '#app/domain/audit/merkle.ts';
import { signedBy } from '#app/domain/audit/succession.ts';
import { auditBodyOf } from '#app/engine/audit/audit-body.ts';
import { readNodes } from '#app/engine/audit/read-nodes.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

const fault = (code: LogFinding['code'], values: LogFinding['values'] = {}): LogFinding => ({ code, values });

/** Whether the stored tree continues the one of the mark. `size`: of the newest checkpoint, 0 for none. */
export async function checkMark(db: Db, workspaceId: string, mark: LogMark | null, size: number): Promise<LogFinding | null> {
  if (mark === null) return null;
  const { head } = mark;
  if (head === null) return fault('markUnreadable');
  if (head.size > size) return fault('earlierState', { size, signed: head.size });
  const root = await storedRoot(db, workspaceId, head.size);
  return root === hex(head.root) ? null : fault('otherHistory', { size, signed: head.size });
}

/** The newest checkpoint, the root of the stored tree, the last entry and the triggers that guard the log. */
export async function checkHead(
  db: Db,
  workspaceId: string,
  signer: LogSigner,
  mark: LogMark | null,
): Promise<{ size: number; finding: LogFinding | null }> {
  const newest = await db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'root', 'note'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  const size = newest?.size ?? 0;
  const found = async () => {
    if (newest !== undefined && !isSigned(newest, workspaceId, signer)) return fault('checkpointChanged', { size });
    if (newest !== undefined && (await storedRoot(db, workspaceId, size)) !== hex(newest.root)) return fault('treeChanged', { size });
    // Checked after the tree itself: a damaged tree is not another history.
    const marked = await checkMark(db, workspaceId, mark, size);
    if (marked !== null) return marked;
    // One statement, one snapshot: more may have been placed meanwhile.
    const { rows } = await sql<{ last: number | null; signed: number | null; guards: number }>`
      select (select max(c.size) from quorate.checkpoints c where c.workspace_id = ${workspaceId}) as signed,
        (select max(e.leaf_index) from quorate.audit_events e where e.workspace_id = ${workspaceId}) as last,
        (select count(*)::int from pg_catalog.pg_trigger t join unnest(${LOG_GUARDS.map(([table]) => table)}::text[], ${LOG_GUARDS.map(([, name]) => name)}::text[]) as g (relation, name)
          on t.tgrelid = ('quorate.' || g.relation)::regclass and t.tgname = g.name where t.tgenabled in ('O', 'A')) as guards`.execute(db);
    const [last, expected] = [rows[0]?.last ?? -1, (rows[0]?.signed ?? 0) - 1];
    if (last < expected) return fault('entryDropped', { index: expected });
    if (last > expected) return fault('entryChanged', { index: last });
    return rows[0]?.guards === LOG_GUARDS.length ? null : fault('unguarded');
  };
  return { size, finding: await found() };
}

/** By the key of now or by one before it. */
function isSigned(row: { size: number; root: Uint8Array; note: string }, workspaceId: string, signer: LogSigner): boolean {
  const head = { origin: checkpointOrigin(signer.name, workspaceId), size: row.size, root: row.root };
  return signedBy(row.note, head, signer, sha256) !== null && row.note.split('\n').length === CHECKPOINT_LINES;
}
/** Origin, size, root, an empty line, one signature, and the end. */
const CHECKPOINT_LINES = 6;

/** Hex; null where a node is missing. */
async function storedRoot(db: Db, workspaceId: string, size: number): Promise<string | null> {
  const part = rootPart(size);
  try {
    return hex(hashPart(sha256, part, await readNodes(db, workspaceId, part)));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The entries from index·2^level up to (index+1)·2^level or the end, from their contents to the root: each row against its leaf, each stored
 * node above them against its children, each checkpoint that ends there against the tree. All stretches together are the whole log.
 */
export async function checkStretch(
  db: Db,
  workspaceId: string,
  signer: LogSigner,
  { level, index, size }: { level: number; index: number; size: number },
): Promise<LogFinding | null> {
  const from = index * 2 ** level;
  const stretch = { from, to: Math.min(size, from + 2 ** level), size };
  const nodes = await nodesAround(db, workspaceId, stretch);
  return (
    (await checkEntries(db, workspaceId, stretch, nodes)) ??
    checkParents(nodes, stretch) ??
    (await checkCheckpoints(db, workspaceId, signer, stretch))
  );
}
type Stretch = { from: number; to: number; size: number };

async function checkEntries(
  db: Db,
  workspaceId: string,
  { from, to }: Stretch,
  nodes: ReadonlyMap<string, Uint8Array>,
): Promise<LogFinding | null> {
  const rows = await db
    .selectFrom('quorate.audit_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .orderBy('leaf_index')
    .execute();
  const blank: number[] = [];
  for (const [n, row] of rows.entries()) {
    const place = from + n;
    if (row.leaf_index !== place) return fault('entryDropped', { index: place });
    const leaf = nodes.get(nodeKey({ level: 0, index: place }));
    if (leaf === undefined) return fault('treeChanged', { size: place + 1 });
    if (!isWhatWasPlaced(row, leaf)) return fault('entryChanged', { index: place });
    if (row.salt === null) blank.push(place);
  }
  if (rows.length < to - from) return fault('entryDropped', { index: from + rows.length });
  const unnamed = blank.length === 0 ? undefined : await firstUnnamed(db, workspaceId, blank);
  return unnamed === undefined ? null : fault('entryBlanked', { index: unnamed });
}

function isWhatWasPlaced(row: Selectable<AuditEventsTable>, leaf: Uint8Array): boolean {
  if (row.body_digest === null || row.leaf_hash === null) return false;
  if (row.salt !== null && hex(bodyDigest(sha256, row.salt, auditBodyOf(row))) !== hex(row.body_digest)) return false;
  const hash = hex(eventLeafHash(sha256, { id: row.id, workspaceId: row.workspace_id, at: row.at, bodyDigest: row.body_digest }));
  return hash === hex(leaf) && hash === hex(row.leaf_hash);
}

/** A deletion of an account that an older version wrote names no places: there any blank entry before it may be its own. */
async function firstUnnamed(db: Db, workspaceId: string, places: number[]): Promise<number | undefined> {
  const { rows } = await sql<{ place: number }>`
    select e.place from unnest(${places}::bigint[]) as e (place)
    where not exists (select from quorate.audit_events x
      where x.workspace_id = ${workspaceId} and x.action = 'account.deleted' and (x.leaf_index is null or x.leaf_index > e.place)
        and (not x.payload ? 'erased' or exists (select from jsonb_array_elements(x.payload -> 'erased') as s
          where (s ->> 0)::bigint <= e.place and e.place < (s ->> 1)::bigint)))
    order by e.place limit 1`.execute(db);
  return rows[0]?.place;
}

/** Every stored node over the stretch, and on the way from it to the root each node with its sibling. */
async function nodesAround(db: Db, workspaceId: string, { from, to, size }: Stretch): Promise<Map<string, Uint8Array>> {
  const { rows } = await sql<{ level: number; idx: number; hash: Uint8Array }>`
    select n.level, n.idx, n.hash from generate_series(0, 52) as l (level)
    join quorate.audit_nodes n on n.workspace_id = ${workspaceId} and n.level = l.level
      and n.idx between (${from}::bigint >> l.level) / 2 * 2 and greatest(${to - 1}::bigint >> l.level, (${from}::bigint >> l.level) / 2 * 2 + 1)
    where (1::bigint << l.level) <= ${size}::bigint`.execute(db);
  return new Map(rows.map((row) => [nodeKey({ level: row.level, index: row.idx }), row.hash]));
}

function checkParents(nodes: ReadonlyMap<string, Uint8Array>, { size }: Stretch): LogFinding | null {
  for (const [key, hash] of nodes) {
    const [level = 0, index = 0] = key.split('/').map(Number);
    const sibling = index % 2 === 0 ? index + 1 : index - 1;
    // Either of the two may be of entries that came since the size was read: what stands above them is not among these nodes.
    if ((Math.max(index, sibling) + 1) * 2 ** level > size) continue;
    const other = nodes.get(nodeKey({ level, index: sibling }));
    const above = nodes.get(nodeKey({ level: level + 1, index: Math.floor(index / 2) }));
    if (other === undefined || above === undefined) return fault('treeChanged', { size });
    if (index < sibling && hex(nodeHash(sha256, hash, other)) !== hex(above)) return fault('treeChanged', { size });
  }
  return null;
}

async function checkCheckpoints(db: Db, workspaceId: string, signer: LogSigner, { from, to }: Stretch): Promise<LogFinding | null> {
  const rows = await db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'root', 'note'])
    .where('workspace_id', '=', workspaceId)
    .where('size', '>', from)
    .where('size', '<=', to)
    .execute();
  const lookup = await readNodes(
    db,
    workspaceId,
    rows.flatMap((row) => rootPart(row.size)),
  );
  for (const row of rows) {
    if (!isSigned(row, workspaceId, signer)) return fault('checkpointChanged', { size: row.size });
    try {
      if (hex(hashPart(sha256, rootPart(row.size), lookup)) !== hex(row.root)) return fault('checkpointChanged', { size: row.size });
    } catch (error) {
      if (error instanceof RangeError) return fault('treeChanged', { size: row.size });
      throw error;
    }
  }
  return null;
}
