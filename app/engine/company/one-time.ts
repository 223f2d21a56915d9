import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Sealer } from '#app/contracts/ports.ts';

/** The purpose under which the claims of a test are kept. */
export const TEST_RESULT = 'test result';

/** A value kept sealed for some minutes, under a random number that is stored as its digest. */
type Kept = { provider: string; secret: string; purpose: string };

const keyOf = (purpose: string, secret: string) => createHash('sha256').update(`${purpose} ${secret}`).digest();
const contextOf = (purpose: string, secret: string) => `company ${purpose} ${keyOf(purpose, secret).toString('hex')}`;

/** Needs a transaction as nobody, like the two below. */
export async function keepOnce(
  db: Db,
  sealer: Sealer,
  { provider, secret, purpose }: Kept,
  value: unknown,
  seconds: number,
): Promise<void> {
  const sealed = sealer.seal(JSON.stringify(value), contextOf(purpose, secret));
  await sql`select quorate.keep_company_one_time(${keyOf(purpose, secret)}, ${provider}, ${sealed}, ${seconds})`.execute(db);
}

/** The value and its provider, for the one who comes first and in time; null for everyone else. */
export async function takeOnce<Schema extends z.ZodType>(
  db: Db,
  sealer: Sealer,
  { secret, purpose }: Omit<Kept, 'provider'>,
  schema: Schema,
): Promise<{ provider: string; value: z.output<Schema> } | null> {
  return open(await ask(db, 'take', keyOf(purpose, secret)), sealer, contextOf(purpose, secret), schema);
}

/** The same, and leaves it there. */
export async function peekOnce<Schema extends z.ZodType>(
  db: Db,
  sealer: Sealer,
  { secret, purpose }: Omit<Kept, 'provider'>,
  schema: Schema,
): Promise<{ provider: string; value: z.output<Schema> } | null> {
  return open(await ask(db, 'peek', keyOf(purpose, secret)), sealer, contextOf(purpose, secret), schema);
}

type Row = { provider_id: string; sealed: Uint8Array };

async function ask(db: Db, how: 'take' | 'peek', key: Buffer): Promise<Row | undefined> {
  const query =
    how === 'take'
      ? sql<Row>`select * from quorate.take_company_one_time(${key})`
      : sql<Row>`select * from quorate.peek_company_one_time(${key})`;
  return (await query.execute(db)).rows[0];
}

function open<Schema extends z.ZodType>(row: Row | undefined, sealer: Sealer, context: string, schema: Schema) {
  if (row === undefined) return null;
  return { provider: row.provider_id, value: schema.parse(JSON.parse(sealer.open(row.sealed, context))) };
}
