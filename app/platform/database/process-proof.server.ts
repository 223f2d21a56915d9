/** The proof of a process, beside its password: whoever has stolen that alone opens nothing in the database (decision 52). */
import { createHmac } from 'node:crypto';
import type { ClientBase } from 'pg';

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
