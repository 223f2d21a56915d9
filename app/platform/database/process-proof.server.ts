/** The proof of a process, beside its password: whoever has stolen that alone opens nothing in the database (decision 52). */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Reauthentication } from '#app/contracts/access.ts';
import type { Db } from '#app/platform/database/transaction-dialect.server.ts';

const BLOCK_BYTES = 64;

/** Opens a session of the application's login: without it, the database refuses every function by which one becomes somebody. */
export async function openSession(client: Pick<ClientBase, 'query'>, processKey: string): Promise<void> {
  const { rows } = await client.query<{ pid: number; at: string }>(
    'select pg_backend_pid() as pid, extract(epoch from clock_timestamp())::text as at',
  );
  const [{ pid, at } = { pid: 0, at: '' }] = rows;
  const proof = createHmac('sha256', processKey).update(`open ${pid} ${at}`).digest();
  await client.query('select quorate.open_session($1, $2)', [at, proof]);
}

/**
 * Tells the database that a person has just proved that it is them. A proof counts in the session of the database that it was made for, for a
 * minute, and once. @throws what `quorate.note_reauthentication` refuses
 */
export async function noteReauthentication(db: Db, processKey: string, noted: Reauthentication): Promise<void> {
  const { userId, sessionId, method, act, subjects } = noted;
  const { rows } = await sql<{ pid: number; at: string }>`
    select pg_backend_pid() as pid, extract(epoch from clock_timestamp())::text as at`.execute(db);
  const [{ pid, at } = { pid: 0, at: '' }] = rows;
  const message = `reauthenticated ${pid} ${userId} ${sessionId} ${method} ${act} ${subjects.join(',')} ${at}`;
  const proof = createHmac('sha256', processKey).update(message).digest();
  await sql`select quorate.note_reauthentication(${userId}, ${sessionId}, ${method}, ${act}, ${[...subjects]}::uuid[], ${at}, ${proof})`.execute(
    db,
  );
}

/** Writes the key for the database, as the owner; writing it again changes nothing. */
export async function keepProcessKey(owner: Pick<ClientBase, 'query'>, processKey: string): Promise<void> {
  await owner.query(
    `insert into quorate.process_key (inner_pad, outer_pad) values ($1, $2)
     on conflict (is_only) do update set inner_pad = excluded.inner_pad, outer_pad = excluded.outer_pad`,
    [pad(processKey, 0x36), pad(processKey, 0x5c)],
  );
}

/** The key as HMAC hashes it before a message (RFC 2104): filled up to a block, each byte changed by `byte`. */
function pad(key: string, byte: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, byte);
  for (const [place, value] of Buffer.from(key).entries()) block[place] = value ^ byte;
  return block;
}
