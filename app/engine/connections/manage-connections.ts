import type { AuditAction } from '#app/domain/audit/audit-event.ts';
import type { ModelPrice, ModelSettings } from '#app/domain/connections/model-connection.ts';
import { hidesName } from '#app/domain/connections/tool-findings.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Json } from '#app/domain/tables.ts';
import type { EventOf } from '#app/engine/commands/command.ts';
import type { PeerFailure, PeerInspection, PeerKind } from '#app/engine/connections/peer.ts';
import { freeSlug } from '#app/engine/connections/seed-builtin-connections.ts';
import { insertCapabilities, updateCapabilities } from '#app/engine/connections/store-capabilities.ts';
import type { Db } from '#app/engine/db.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';

type Done<T, Action extends AuditAction> = { result: T; event: EventOf<Action> };

/** The context under which a connection's token is sealed, so that it opens for no other row. */
export const credentialContext = (connectionId: string) => `connections/${connectionId}`;

export type NewConnection = {
  id: string;
  workspaceId: string;
  ownerId: string;
  kind: PeerKind;
  name: string;
  description: string;
  endpoint: string;
  sealedCredential: Uint8Array | null;
  settings?: Json;
};

/**
 * Stores a peer that has been inspected, with everything it offers waiting for approval.
 * @throws AppError quota_exceeded for an agent beyond the plan's number
 */
export async function addConnection(
  db: Db,
  connection: NewConnection,
  inspection: PeerInspection,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Done<{ id: string }, 'connection.connected'>> {
  if (connection.kind === 'a2a') await requireRoom(db, connection.workspaceId, 'agents', at);
  const taken = await db
    .selectFrom('quorate.connections')
    .where('workspace_id', '=', connection.workspaceId)
    .where('deleted_at', 'is', null)
    .select('slug')
    .execute();
  const slug = freeSlug(
    slugOf(connection.name),
    taken.map((row) => row.slug),
  );
  await db
    .insertInto('quorate.connections')
    .values({
      id: connection.id,
      workspace_id: connection.workspaceId,
      owner_id: connection.ownerId,
      kind: connection.kind,
      name: connection.name,
      slug,
      description: connection.description,
      endpoint: connection.endpoint,
      ...(connection.sealedCredential === null ? {} : { sealed_credential: connection.sealedCredential }),
      ...(connection.settings === undefined ? {} : { settings: JSON.stringify(connection.settings) }),
      status: 'connected',
      protocol_version: inspection.protocolVersion,
      last_check_at: at,
    })
    .execute();
  await insertCapabilities(db, { workspaceId: connection.workspaceId, connectionId: connection.id, newId, at }, inspection.capabilities);
  return {
    result: { id: connection.id },
    event: {
      action: 'connection.connected',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocol: connection.kind, endpoint: connection.endpoint, capabilities: pinsOf(inspection) },
    },
  };
}

/** Stores a peer that nobody has spoken to yet: pending until its first check lists what it offers. */
export async function installConnection(db: Db, connection: NewConnection): Promise<Done<{ id: string }, 'connection.installed'>> {
  const taken = await db
    .selectFrom('quorate.connections')
    .where('workspace_id', '=', connection.workspaceId)
    .where('deleted_at', 'is', null)
    .select('slug')
    .execute();
  await db
    .insertInto('quorate.connections')
    .values({
      id: connection.id,
      workspace_id: connection.workspaceId,
      owner_id: connection.ownerId,
      kind: connection.kind,
      name: connection.name,
      slug: freeSlug(
        slugOf(connection.name),
        taken.map((row) => row.slug),
      ),
      description: connection.description,
      endpoint: connection.endpoint,
      status: 'pending',
    })
    .execute();
  return {
    result: { id: connection.id },
    event: {
      action: 'connection.installed',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocol: connection.kind, endpoint: connection.endpoint },
    },
  };
}

export type ConnectionRow = { id: string; name: string; workspaceId: string };

/** Keeps what a check found. What is new or changed waits for approval. */
export async function recordCheck(
  db: Db,
  connection: ConnectionRow,
  inspection: PeerInspection,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Done<{ news: number }, 'connection.checked'>> {
  const place = { workspaceId: connection.workspaceId, connectionId: connection.id, newId, at };
  const changes = await updateCapabilities(db, place, inspection.capabilities);
  await updateConnection(db, connection.id, {
    status: 'connected',
    protocol_version: inspection.protocolVersion,
    last_check_at: at,
    last_error: null,
    updated_at: at,
  });
  return {
    result: { news: changes.added.length + changes.changed.length + changes.removed.length },
    event: {
      action: 'connection.checked',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocolVersion: inspection.protocolVersion, ...changes },
    },
  };
}

/** Keeps why a check failed. What was offered and approved before stands. */
export async function recordFailedCheck(
  db: Db,
  connection: ConnectionRow,
  failure: PeerFailure,
  at: Date,
): Promise<Done<null, 'connection.checkFailed'>> {
  const reason: { [key: string]: Json } = { key: failure.key, values: failure.values };
  await updateConnection(db, connection.id, { status: 'error', last_check_at: at, last_error: JSON.stringify(reason), updated_at: at });
  return {
    result: null,
    event: {
      action: 'connection.checkFailed',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { reason },
    },
  };
}

/**
 * Approves capabilities exactly as they were shown. Those that changed meanwhile, and those whose names hide something, are left alone and
 * counted.
 * @throws AppError `conflict` when none is as it was shown
 */
export async function approveCapabilities(
  db: Db,
  connection: ConnectionRow,
  shown: readonly { id: string; fingerprint: string }[],
  { approverId, at }: { approverId: string; at: Date },
): Promise<Done<{ approved: number; missed: number }, 'capability.approved'>> {
  const approved: { [key: string]: Json }[] = [];
  for (const { id, fingerprint } of shown) {
    const row = await db
      .selectFrom('quorate.capabilities')
      .where('id', '=', id)
      .where('connection_id', '=', connection.id)
      .where('fingerprint', '=', fingerprint)
      .where('removed_at', 'is', null)
      .select(['name', 'definition'])
      .executeTakeFirst();
    if (row === undefined || hidesName(row.definition)) continue;
    const { numUpdatedRows } = await db
      .updateTable('quorate.capabilities')
      .set({
        approved_fingerprint: fingerprint,
        approved_definition: JSON.stringify(row.definition),
        approved_by: approverId,
        approved_at: at,
      })
      .where('id', '=', id)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) approved.push({ name: row.name, fingerprint });
  }
  if (approved.length === 0) throw new AppError('conflict');
  return {
    result: { approved: approved.length, missed: shown.length - approved.length },
    event: {
      action: 'capability.approved',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { capabilities: approved },
    },
  };
}

/** Takes an approval back: the capability waits again. */
export async function withdrawCapability(
  db: Db,
  connection: ConnectionRow,
  capabilityId: string,
): Promise<Done<null, 'capability.withdrawn'>> {
  const row = await db
    .updateTable('quorate.capabilities')
    .set({ approved_fingerprint: null, approved_definition: null, approved_by: null, approved_at: null })
    .where('id', '=', capabilityId)
    .where('connection_id', '=', connection.id)
    .where('approved_fingerprint', 'is not', null)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conflict');
  return {
    result: null,
    event: {
      action: 'capability.withdrawn',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { capability: row.name },
    },
  };
}

/** Says whether personal data may go to a connection. */
export async function allowPersonalData(
  db: Db,
  connection: ConnectionRow,
  allowed: boolean,
  at: Date,
): Promise<Done<null, 'connection.personalDataAllowed' | 'connection.personalDataForbidden'>> {
  await updateConnection(db, connection.id, { personal_data_allowed: allowed, updated_at: at });
  return {
    result: null,
    event: {
      action: allowed ? 'connection.personalDataAllowed' : 'connection.personalDataForbidden',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
    },
  };
}

/** States whether a connection honours the idempotency key, so that a call that writes may be made again. */
export async function allowRepeatedCalls(
  db: Db,
  connection: ConnectionRow,
  allowed: boolean,
  at: Date,
): Promise<Done<null, 'connection.repeatAllowed' | 'connection.repeatForbidden'>> {
  await updateConnection(db, connection.id, { idempotent: allowed, updated_at: at });
  return {
    result: null,
    event: {
      action: allowed ? 'connection.repeatAllowed' : 'connection.repeatForbidden',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
    },
  };
}

/** Puts a new credential in the place of the old one, which is gone with it. */
export async function rotateCredential(
  db: Db,
  connection: ConnectionRow,
  sealed: Uint8Array,
  at: Date,
): Promise<Done<null, 'connection.keyRotated'>> {
  await updateConnection(db, connection.id, {
    sealed_credential: sealed,
    status: 'connected',
    last_check_at: at,
    last_error: null,
    updated_at: at,
  });
  return {
    result: null,
    event: { action: 'connection.keyRotated', resource: { kind: 'connection', id: connection.id, name: connection.name } },
  };
}

/** Keeps what a model costs: US dollars per million tokens; null takes the price away. */
export async function setModelPrice(
  db: Db,
  connection: ConnectionRow,
  { settings, model, price, at }: { settings: ModelSettings; model: string; price: ModelPrice | null; at: Date },
): Promise<Done<null, 'connection.priceSet'>> {
  const { [model]: _before, ...others } = settings.prices;
  const prices = price === null ? others : { ...others, [model]: price };
  await updateConnection(db, connection.id, { settings: JSON.stringify({ ...settings, prices }), updated_at: at });
  return {
    result: null,
    event: {
      action: 'connection.priceSet',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { model, price },
    },
  };
}

/** Pauses a connection or resumes it: from the commit on nothing of it is called, in runs under way too. */
export async function pauseConnection(
  db: Db,
  connection: ConnectionRow,
  paused: boolean,
  at: Date,
): Promise<Done<null, 'connection.paused' | 'connection.resumed'>> {
  await updateConnection(db, connection.id, { paused_at: paused ? at : null, updated_at: at });
  return {
    result: null,
    event: {
      action: paused ? 'connection.paused' : 'connection.resumed',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
    },
  };
}

/** Ends a connection: nothing is called on it any more, its token is gone, what happened on it stays. */
export async function disconnect(db: Db, connection: ConnectionRow, at: Date): Promise<Done<null, 'connection.disconnected'>> {
  await updateConnection(db, connection.id, { status: 'disconnected', deleted_at: at, sealed_credential: null, updated_at: at });
  return {
    result: null,
    event: { action: 'connection.disconnected', resource: { kind: 'connection', id: connection.id, name: connection.name } },
  };
}

type ConnectionChange = Partial<{
  status: 'connected' | 'error' | 'disconnected';
  protocol_version: string;
  last_check_at: Date;
  last_error: string | null;
  personal_data_allowed: boolean;
  idempotent: boolean;
  sealed_credential: Uint8Array | null;
  settings: string;
  deleted_at: Date;
  paused_at: Date | null;
  updated_at: Date;
}>;

/** @throws AppError `not_found` when it is gone, or the member may not change it */
async function updateConnection(db: Db, id: string, change: ConnectionChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('quorate.connections')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError('not_found');
}

function pinsOf(inspection: PeerInspection): { [key: string]: Json }[] {
  return inspection.capabilities.slice(0, 500).map(({ name, fingerprint }) => ({ name, fingerprint }));
}

/** What workflows call a connection by. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 44)
    .replace(/-+$/, '');
  return slug === '' ? 'connection' : slug;
}
