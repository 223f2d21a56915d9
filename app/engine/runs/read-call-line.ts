import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';

/** Why a call of the run waits for a place at its connection, with the seconds where they are known. Null: none does. */
export async function readCallLine(db: Db, runId: string, now: Date): Promise<Explanation | null> {
  const row = await db
    .selectFrom('quorate.connection_calls as k')
    .innerJoin('quorate.connections as c', 'c.id', 'k.connection_id')
    .where('k.run_id', '=', runId)
    .where('k.state', '=', 'waiting')
    .orderBy('k.since')
    .select(['c.name', 'k.cause', 'k.expected_at', 'c.calls_at_once', 'c.calls_a_minute'])
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const connection = row.name;
  const seconds = row.expected_at === null ? 1 : Math.max(1, Math.ceil((row.expected_at.getTime() - now.getTime()) / 1_000));
  if (row.cause === 'peer') return { key: 'connectionHeld', values: { connection, seconds } };
  if (row.cause === 'minute' && row.calls_a_minute !== null)
    return { key: 'connectionFullMinute', values: { connection, calls: row.calls_a_minute, seconds } };
  return row.calls_at_once === null ? null : { key: 'connectionFullAtOnce', values: { connection, calls: row.calls_at_once } };
}
