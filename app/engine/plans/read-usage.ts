import type { Db } from '#app/contracts/db.ts';
import type { Usage } from '#app/domain/people/plans.ts';

/** The workspace's present use of its plan: agents written or connected here, workflows, and live runs of this UTC month. */
export async function readUsage(db: Db, workspaceId: string, now: Date): Promise<Usage> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const authored = await db
    .selectFrom('quorate.artifacts')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('kind', '=', 'agent').as('agents'),
      eb.fn.countAll<number>().filterWhere('kind', '=', 'workflow').as('workflows'),
    ])
    .executeTakeFirstOrThrow();
  const remote = await db
    .selectFrom('quorate.connections')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'a2a')
    .where('deleted_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('agents'))
    .executeTakeFirstOrThrow();
  const { executions } = await db
    .selectFrom('quorate.runs')
    .where('workspace_id', '=', workspaceId)
    .where('mode', '=', 'live')
    .where('created_at', '>=', month)
    .select((eb) => eb.fn.countAll<number>().as('executions'))
    .executeTakeFirstOrThrow();
  return { agents: authored.agents + remote.agents, workflows: authored.workflows, executions };
}
