import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { type Health, judgeHealth } from '#app/domain/people/health.ts';
import { can } from '#app/domain/people/roles.ts';
import { readHealth } from '#app/engine/health/read-health.ts';

const LISTED_CONNECTIONS = 20;
const DAY_MS = 86_400_000;

/** The health of the member's workspace. Null: it could not be read, which is logged and holds up no page. */
export async function loadHealthOrNull(context: Readonly<RouterContextProvider>): Promise<Health | null> {
  try {
    return await loadHealth(context);
  } catch (error) {
    context.get(servicesContext).log.error('health could not be read', { error });
    return null;
  }
}

async function loadHealth(context: Readonly<RouterContextProvider>): Promise<Health> {
  const { member, read } = context.get(memberContext);
  const figures = await readHealth(read, { workspaceId: member.workspace.id, now: context.get(servicesContext).now() });
  return judgeHealth(figures, member.workspace.haltedAt !== null);
}

/** The same with details: failing connections, and for readers of the whole log, mails that wait to be sent. */
export async function loadHealthPage(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const health = await loadHealth(context);
  const details = await read(async (db) => ({
    failing: await listFailing(db, member.workspace.id),
    deliveries: can(member.roles, 'readAuditLog') ? await countDeliveries(db, member.workspace.id, now()) : null,
  }));
  return { health, ...details, mayHalt: can(member.roles, 'halt') };
}
export type HealthView = Awaited<ReturnType<typeof loadHealthPage>>;

async function listFailing(db: Db, workspaceId: string) {
  const rows = await db
    .selectFrom('quorate.connections')
    .select(['id', 'name', 'kind', 'last_check_at'])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'error')
    .orderBy('name')
    .limit(LISTED_CONNECTIONS)
    .execute();
  return rows.map(({ last_check_at, ...row }) => ({ ...row, checkedAt: last_check_at?.toISOString() ?? null }));
}

async function countDeliveries(db: Db, workspaceId: string, now: Date): Promise<{ waiting: number; failed: number }> {
  const { waiting, failed } = await db
    .selectFrom('quorate.deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>=', new Date(now.getTime() - DAY_MS))
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('status', '=', 'pending').as('waiting'),
      eb.fn.countAll<number>().filterWhere('status', '=', 'failed').as('failed'),
    ])
    .executeTakeFirstOrThrow();
  return { waiting, failed };
}
