import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { ModelPrice, ModelSettings } from '#app/domain/connections/model-connection.ts';
import { type ConnectionChange, type ConnectionRow, type Done, updateConnection } from '#app/engine/connections/connection-row.ts';

/** Changes the row, and names the event for it. */
async function change<Action extends AuditAction>(
  db: Db,
  { id, name }: ConnectionRow,
  action: Action,
  at: Date,
  values: ConnectionChange,
): Promise<Done<null, Action>> {
  await updateConnection(db, id, { ...values, updated_at: at });
  return { result: null, event: { action, resource: { kind: 'connection', id, name } } };
}

/** Says whether personal data may go to a connection. */
export function allowPersonalData(db: Db, connection: ConnectionRow, allowed: boolean, at: Date) {
  const action = allowed ? 'connection.personalDataAllowed' : 'connection.personalDataForbidden';
  return change(db, connection, action, at, { personal_data_allowed: allowed });
}

/** States whether a connection honours the idempotency key, so that a call that writes may be made again. */
export function allowRepeatedCalls(db: Db, connection: ConnectionRow, allowed: boolean, at: Date) {
  return change(db, connection, allowed ? 'connection.repeatAllowed' : 'connection.repeatForbidden', at, { idempotent: allowed });
}

/** Puts a new credential in the place of the old one, which is gone with it. */
export function rotateCredential(db: Db, connection: ConnectionRow, sealed: Uint8Array, at: Date) {
  return change(db, connection, 'connection.keyRotated', at, {
    sealed_credential: sealed,
    status: 'connected',
    last_check_at: at,
    last_error: null,
  });
}

/** Keeps what a model costs: US dollars per million tokens; null takes the price away. */
export async function setModelPrice(
  db: Db,
  connection: ConnectionRow,
  { settings, model, price, at }: { settings: ModelSettings; model: string; price: ModelPrice | null; at: Date },
): Promise<Done<null, 'connection.priceSet'>> {
  const { [model]: _before, ...others } = settings.prices;
  const prices = price === null ? others : { ...others, [model]: price };
  const changed = { settings: JSON.stringify({ ...settings, prices }) };
  const { result, event } = await change(db, connection, 'connection.priceSet', at, changed);
  return { result, event: { ...event, payload: { model, price } } };
}

/** Pauses a connection or resumes it: from the commit on nothing of it is called, in runs under way too. */
export function pauseConnection(db: Db, connection: ConnectionRow, paused: boolean, at: Date) {
  return change(db, connection, paused ? 'connection.paused' : 'connection.resumed', at, { paused_at: paused ? at : null });
}

/** Ends a connection: nothing is called on it any longer, its token is gone, what happened on it stays. */
export function disconnect(db: Db, connection: ConnectionRow, at: Date) {
  return change(db, connection, 'connection.disconnected', at, { status: 'disconnected', deleted_at: at, sealed_credential: null });
}
