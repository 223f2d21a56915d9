import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';

/** The incident as its clocks need it, for one act at a time: of two, the second knows what the first has sent. @throws AppError not_found */
export async function findIncident(db: Db, id: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`incident:${id}`}, 0))`.execute(db);
  const row = await db
    .selectFrom('quorate.incidents')
    .where('id', '=', id)
    .select(['id', 'number', 'title', 'severity', 'harm', 'noticed_at', 'classified_at', 'regimes'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** How the log names an incident. */
export const incidentResource = ({ id, title }: { id: string; title: string }) => ({ kind: 'incident', id, name: title });
