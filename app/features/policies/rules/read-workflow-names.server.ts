import type { Db } from '#app/contracts/db.ts';

const MOST_WORKFLOWS = 500;

/** The names of the workspace's workflows, agents and gateways, by id: what rules name. */
export async function readWorkflowNames(db: Db, workspaceId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('quorate.artifacts')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', 'in', ['workflow', 'agent', 'gateway'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .limit(MOST_WORKFLOWS)
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
