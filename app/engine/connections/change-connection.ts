import type { Db } from '#app/contracts/db.ts';
import type { ModelPrice, ModelSettings } from '#app/domain/connections/model-connection.ts';
import { type ConnectionRow, type Done, updateConnection } from '#app/engine/connections/connection-row.ts';

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

/** Ends a connection: nothing is called on it any longer, its token is gone, what happened on it stays. */
export async function disconnect(db: Db, connection: ConnectionRow, at: Date): Promise<Done<null, 'connection.disconnected'>> {
  await updateConnection(db, connection.id, { status: 'disconnected', deleted_at: at, sealed_credential: null, updated_at: at });
  return {
    result: null,
    event: { action: 'connection.disconnected', resource: { kind: 'connection', id: connection.id, name: connection.name } },
  };
}
