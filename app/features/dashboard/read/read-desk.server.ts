import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Member } from '#app/contracts/principals.ts';
import { type DashboardSettings, readDashboardSettings } from '#app/domain/people/member-settings.ts';

/** A visit is noted again no sooner than this: a page that follows what happens is read often. */
const NOTED_EVERY_MS = 5 * 60_000;

/**
 * The member's arrangement. `since`: the end of their visit before this one; null: this is the first. `mark`: of the workspace, which is
 * another one as soon as something has happened. `unnoted`: this visit, or that it goes on, is to be noted.
 */
export type Desk = { arranged: DashboardSettings | undefined; since: Date | null; mark: string; unnoted: boolean };

export async function readDesk(db: Db, member: Member, now: Date, visitEndsMs: number): Promise<Desk> {
  const { rows } = await sql<{ settings: unknown; here_at: Date | null; since_at: Date | null; mark: string }>`
    select s.settings, s.here_at, s.since_at, quorate.desk_mark() as mark from (select) one
      left join quorate.member_settings s on s.workspace_id = ${member.workspace.id} and s.user_id = ${member.userId}`.execute(db);
  const { settings = {}, here_at: here = null, since_at = null, mark = '' } = rows[0] ?? {};
  const passed = here === null ? null : now.getTime() - here.getTime();
  return {
    arranged: readDashboardSettings(settings),
    since: passed !== null && passed >= visitEndsMs ? here : since_at,
    mark,
    unnoted: passed === null || passed >= NOTED_EVERY_MS,
  };
}
