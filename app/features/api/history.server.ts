import { sql } from 'kysely';
import { problem } from '#app/components/page/problem.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

/** So far back a program reads what everybody did; what is older leaves as evidence, by agreement. */
const DAYS = 7;

/** Whether a page that begins behind this entry or run is history, which another person agrees to before it leaves. */
export async function isHistory(db: Db, of: 'audit_events' | 'runs', cursor: string): Promise<boolean> {
  const at = of === 'runs' ? sql`r.created_at` : sql`r.at`;
  const { rows } = await sql<{ old: boolean }>`select ${at} < clock_timestamp() - make_interval(days => ${DAYS}) as old
    from ${sql.table(`quorate.${of}`)} r where r.id = ${cursor}::uuid`.execute(db);
  return rows[0]?.old === true && (await secondPersonAgrees(db));
}

export const historyRefused = () =>
  problem('forbidden', `A key reads the last ${DAYS} days. What is older leaves as evidence: a person asks for it, and another agrees.`);
