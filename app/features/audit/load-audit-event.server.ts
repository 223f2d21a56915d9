import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { DrawnProof, ProofStep } from '#app/components/drawing/proof-drawing.tsx';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { hashPart, inclusionParts, nodeHash, type ProofPart } from '#app/domain/audit/merkle.ts';
import { breakGlassOf } from '#app/domain/control/break-glass.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { readNodes } from '#app/engine/audit/read-nodes.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

/** One entry of the log with the way of its leaf to the root of the newest checkpoint; `proof` is null while it has no place. */
export async function loadAuditEvent({ params, context }: { params: { event: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const id = z.uuid().safeParse(params.event);
  const found = await read(async (db) => {
    if (!id.success) return null;
    const row = await db
      .selectFrom('quorate.audit_events')
      .selectAll()
      .where('workspace_id', '=', member.workspace.id)
      .where('id', '=', id.data)
      .executeTakeFirst();
    if (row === undefined) return null;
    const proof =
      row.leaf_index === null || row.leaf_hash === null ? null : await drawProof(db, member.workspace.id, row.leaf_index, row.leaf_hash);
    return { row, proof };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { row, proof } = found;
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, name: row.actor_name },
    action: row.action,
    resource: inReadersLanguage(context, { kind: row.resource_kind, id: row.resource_id, name: row.resource_name }),
    /** As the entry has it, and its digest. */
    recordedName: row.resource_name,
    /** Null where nothing was recorded. */
    payload: isEmpty(row.payload) ? null : valueCutter().json(row.payload),
    /** One person asked and decided, since there was nobody else. */
    isAlone: isAlone(row.payload),
    breakGlass: { changes: breakGlassOf(row.payload), mayRead: can(member.roles, 'readChanges') },
    erased: row.salt === null,
    leafIndex: row.leaf_index,
    leafHash: row.leaf_hash === null ? null : hex(row.leaf_hash),
    bodyDigest: row.body_digest === null ? null : hex(row.body_digest),
    proof,
    mayExport: can(member.roles, 'exportEvidence'),
    key: vkey(engine.signer.name, engine.signer.publicKey, sha256),
  };
}
/** All that an entry of the log recorded, as a file. @throws AppError not_found, also once it was erased */
export async function downloadPayload({ params, context }: { params: { event: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.event).data;
  const row =
    id === undefined
      ? undefined
      : await read((db) =>
          db
            .selectFrom('quorate.audit_events')
            .select(['payload', 'salt'])
            .where('workspace_id', '=', member.workspace.id)
            .where('id', '=', id)
            .executeTakeFirst(),
        );
  if (row === undefined || row.salt === null) throw new AppError('not_found');
  return jsonFile(row.payload, `quorate-event-${id}`);
}

const isAlone = (payload: Json) =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) && payload.separated === false;

function isEmpty(payload: Json): boolean {
  return typeof payload === 'object' && payload !== null && Object.keys(payload).length === 0;
}

export type LoadedAuditEvent = Awaited<ReturnType<typeof loadAuditEvent>>;

async function drawProof(db: Db, workspaceId: string, index: number, leaf: Uint8Array): Promise<DrawnProof | null> {
  const head = await db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'root'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (head === undefined || head.size <= index) return null;
  const parts = inclusionParts(index, head.size);
  const lookup = await readNodes(db, workspaceId, parts.flat());
  let hash = leaf;
  const steps = parts.map((part): ProofStep => {
    const { from, to } = leavesOf(part);
    const neighbour = hashPart(sha256, part, lookup);
    const side = to < index ? 'left' : 'right';
    hash = side === 'left' ? nodeHash(sha256, neighbour, hash) : nodeHash(sha256, hash, neighbour);
    return { side, from, to, neighbour: hex(neighbour), result: hex(hash) };
  });
  return { index, leaf: hex(leaf), size: head.size, root: hex(head.root), steps };
}

function leavesOf(part: ProofPart): { from: number; to: number } {
  const starts = part.map((ref) => ref.index * 2 ** ref.level);
  const ends = part.map((ref) => (ref.index + 1) * 2 ** ref.level - 1);
  return { from: Math.min(...starts), to: Math.max(...ends) };
}
