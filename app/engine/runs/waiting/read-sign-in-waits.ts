import type { Db } from '#app/contracts/db.ts';

export type SignInWaited = { connection: string; host: string; person: string | null };

/** Sign-ins that steps of a run wait for, each connection and account once. */
export async function readSignInWaits(db: Db, runId: string): Promise<SignInWaited[]> {
  const rows = await db
    .selectFrom('quorate.sign_in_waits as w')
    .innerJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'w.run_id').onRef('s.path', '=', 'w.path'))
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'w.workspace_id').onRef('m.user_id', '=', 'w.user_id'))
    .where('w.run_id', '=', runId)
    .where('s.status', '=', 'pending')
    .select(['w.connection_id as connection', 'w.host', 'w.user_id', 'm.name'])
    .distinct()
    .limit(20)
    .execute();
  return rows.map(({ connection, host, user_id: user, name }) => ({ connection, host, person: user === null ? null : (name ?? '–') }));
}
