import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { FoundAgent } from '#app/engine/inventory/find-agent.ts';

/** So many of the workflows that use an agent are named. */
const MOST = 50;

/** The workflows whose version in force calls an agent. */
export async function readUses(db: Db, workspaceId: string, agent: FoundAgent): Promise<{ id: string; name: string }[]> {
  const [connection, capability] = agent.kind === 'authored' ? [AUTHORED_AGENTS, agent.id] : [agent.slug, null];
  const naming = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    // Any document that holds the word at all; which of them call it is told below.
    .where(sql<boolean>`strpos(v.document::text, ${capability ?? connection}) > 0`)
    .orderBy('a.name')
    .limit(MOST)
    .select(['a.id', 'a.name', 'v.document'])
    .execute();
  const calls = (document: unknown) =>
    [...walkSteps(workflowDocumentSchema.parse(document).steps)].some(
      ({ step }) =>
        'connection' in step &&
        step.connection === connection &&
        (capability === null || ('capability' in step && step.capability === capability)),
    );
  return naming.filter(({ document }) => calls(document)).map(({ id, name }) => ({ id, name }));
}
