import { type Selectable, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { LogMark, LogSigner, NewId } from '#app/contracts/ports.ts';
import type { AuditEventsTable } from '#app/contracts/tables.ts';
import { bodyDigest, eventLeafHash, hex } from '#app/domain/audit/audit-leaf.ts';
import { checkpointNote, checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';
import { LogRefusedError } from '#app/domain/audit/log-finding.ts';
import { appendLeaves, hashPart, type Node, rootPart } from '#app/domain/audit/merkle.ts';
import { signedBy } from '#app/domain/audit/succession.ts';
import { auditBodyOf } from '#app/engine/audit/audit-body.ts';
import { checkMark } from '#app/engine/audit/check-log.ts';
import { readNodes } from '#app/engine/audit/read-nodes.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

/** Events that one transaction places at most: some 100 ms of work, so that a backlog never holds the lock for long. */
export const PLACE_BATCH = 2000;

/** `busy`: another process is at it. `more`: the batch was full. `unhashable`: ids of rows whose body has no canonical JSON. `note`: the new head, signed. */
export type Placed = { placed: number; more: boolean; busy: boolean; unhashable: string[]; note: string | null };

/**
 * Gives the committed events of one workspace the next places in its tree and signs the new head, in the caller's
 * transaction as quorate_worker: a crash leaves either all of it or nothing. What another transaction has not committed
 * is not seen, so it comes later, and a place once given is never given again.
 * Before it adds anything it checks that the stored tree still is the one it signed last, by the newest checkpoint and by the mark that is
 * kept outside the database, and that no key signed it that follows its own; if not it throws (LogRefusedError where it is the mark), and signs nothing.
 */
export async function placeEvents(
  db: Db,
  workspaceId: string,
  signer: LogSigner,
  mark: LogMark | null,
  newId: NewId | null = null,
): Promise<Placed> {
  const lock = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`log:${workspaceId}`}, 0)) as held`.execute(
    db,
  );
  if (lock.rows[0]?.held !== true) return { placed: 0, more: false, busy: true, unhashable: [], note: null };

  const last = await lastCheckpoint(db, workspaceId);
  const by =
    last === undefined ? null : signedBy(last.note, { ...last, origin: checkpointOrigin(signer.name, workspaceId) }, signer, sha256);
  if (last !== undefined && by === null)
    throw new Error('the last checkpoint is signed by a key that this process does not know: restart it');
  if (by !== null && by < signer.older.length && newId !== null) await recordRotation(db, workspaceId, signer, newId());
  const pending = await db
    .selectFrom('quorate.audit_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('leaf_index', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .limit(PLACE_BATCH)
    .execute();
  if (pending.length === 0) return { placed: 0, more: false, busy: false, unhashable: [], note: null };

  const hashed = pending.map(hashEvent);
  const events = hashed.filter((event) => event !== null);
  const unhashable = pending.filter((_, n) => hashed[n] === null).map((row) => row.id);
  if (events.length === 0) return { placed: 0, more: false, busy: false, unhashable, note: null };

  const size = await currentSize(db, workspaceId, last);
  const refusal = await checkMark(db, workspaceId, mark, size);
  if (refusal !== null) throw new LogRefusedError(refusal);
  const { nodes, root } = appendLeaves(
    sha256,
    size,
    await readNodes(db, workspaceId, rootPart(size)),
    events.map((event) => event.leafHash),
  );
  await writePlaces(db, workspaceId, size, events);
  await writeNodes(db, workspaceId, nodes);
  const head = { origin: checkpointOrigin(signer.name, workspaceId), size: size + events.length, root };
  const note = checkpointNote(head, signer, sha256);
  await db
    .insertInto('quorate.checkpoints')
    .values({ workspace_id: workspaceId, size: head.size, root: Buffer.from(root), note })
    .execute();
  return { placed: events.length, more: pending.length === PLACE_BATCH, busy: false, unhashable, note };
}

type Hashed = { id: string; bodyDigest: Uint8Array; leafHash: Uint8Array };

/** Null: the row was not written through `recordEvent` and holds what JSON has no canonical form for (1e999). It must not stop the others. */
function hashEvent(row: Selectable<AuditEventsTable>): Hashed | null {
  if (row.salt === null) return null;
  try {
    const digest = bodyDigest(sha256, row.salt, auditBodyOf(row));
    return {
      id: row.id,
      bodyDigest: digest,
      leafHash: eventLeafHash(sha256, { id: row.id, workspaceId: row.workspace_id, at: row.at, bodyDigest: digest }),
    };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function lastCheckpoint(db: Db, workspaceId: string) {
  return await db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'root', 'note'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The first entry under a new key says so: everybody who reads the log later sees when it changed, and from which one. */
async function recordRotation(db: Db, workspaceId: string, { name, publicKey, older }: LogSigner, id: string): Promise<void> {
  const before = older.at(-1);
  const key = (bytes: Uint8Array) => vkey(name, bytes, sha256);
  await recordEvent(db, {
    id,
    actor: { kind: 'system', id: null, name: null },
    workspaceId,
    entry: {
      action: 'log.keyRotated',
      resource: { kind: 'workspace', id: workspaceId },
      payload: { key: key(publicKey), ...(before !== undefined && { before: key(before.publicKey) }) },
    },
  });
}

/** Leaves of the tree signed last. The tree that is stored must have that root: whatever else was signed would be a fork. */
async function currentSize(db: Db, workspaceId: string, last: { size: number; root: Uint8Array } | undefined): Promise<number> {
  if (last === undefined) return 0;
  const part = rootPart(last.size);
  const root = hashPart(sha256, part, await readNodes(db, workspaceId, part));
  if (hex(root) !== hex(last.root)) throw new Error('the stored tree is not the one that the last checkpoint signed');
  return last.size;
}

async function writePlaces(db: Db, workspaceId: string, size: number, events: readonly Hashed[]): Promise<void> {
  const result = await sql`
    update quorate.audit_events e set leaf_index = p.leaf_index, body_digest = decode(p.body_digest, 'hex'), leaf_hash = decode(p.leaf_hash, 'hex')
    from unnest(${events.map((event) => event.id)}::uuid[], ${events.map((_, n) => size + n)}::bigint[],
      ${events.map((event) => hex(event.bodyDigest))}::text[], ${events.map((event) => hex(event.leafHash))}::text[]) as p (id, leaf_index, body_digest, leaf_hash)
    where e.id = p.id and e.workspace_id = ${workspaceId} and e.leaf_index is null`.execute(db);
  if (Number(result.numAffectedRows) !== events.length) throw new Error('events changed while they were placed');
}

async function writeNodes(db: Db, workspaceId: string, nodes: readonly Node[]): Promise<void> {
  await sql`
    insert into quorate.audit_nodes (workspace_id, level, idx, hash)
    select ${workspaceId}::uuid, n.level, n.idx, decode(n.hash, 'hex')
    from unnest(${nodes.map((node) => node.level)}::int[], ${nodes.map((node) => node.index)}::bigint[], ${nodes.map((node) => hex(node.hash))}::text[]) as n (level, idx, hash)`.execute(
    db,
  );
}
