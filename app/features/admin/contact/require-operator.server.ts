import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Db } from '#app/contracts/db.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

/** Whether this member is an admin of the workspace that runs the instance, which is its first one. */
export async function runsInstance(db: Db): Promise<boolean> {
  const { rows } = await sql<{ runs: boolean }>`select quorate.runs_instance() as runs`.execute(db);
  return rows[0]?.runs === true;
}

/** The data for who runs the instance: 403 for members who administer nothing, 404 in every workspace but the first. */
export async function requireOperator(context: Readonly<RouterContextProvider>): Promise<MemberAccess> {
  const access = requirePermission(context, 'manageMembers');
  if (!(await access.read(runsInstance))) throw data({ code: 'not_found' }, { status: 404 });
  return access;
}
