import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';

type Asked = { change: string; reason: string; digest: string; hours: number };

/** Puts a change that waits into effect by one person, by the rules of `quorate.start_break_glass`. Returns when it ends. */
export async function startBreakGlass(db: Db, { change, reason, digest, hours }: Asked): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    select quorate.start_break_glass(${change}, ${reason}, ${digest}, ${hours}::int) as until`.execute(db);
  const [answer] = rows;
  if (answer === undefined) throw new AppError('not_found');
  return answer.until;
}

/** The ids of the changes that break-glass had made at any moment between these, of the member's workspace; `until` null: up to now. */
export async function readBreakGlass(db: Db, from: Date, until: Date | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from quorate.break_glass_between(${from}, ${until}) as id`.execute(db);
  return rows.map(({ id }) => id);
}
