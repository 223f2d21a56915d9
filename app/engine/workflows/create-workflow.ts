import type { WorkflowDocument } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';

/** Makes a workflow with its first draft, inside the caller's change. */
export async function createWorkflow(
  db: Db,
  workflow: { id: string; workspaceId: string; ownerId: string; name: string; description: string; document: WorkflowDocument },
): Promise<void> {
  await db
    .insertInto('quorate.artifacts')
    .values({
      id: workflow.id,
      workspace_id: workflow.workspaceId,
      kind: 'workflow',
      name: workflow.name,
      description: workflow.description,
      owner_id: workflow.ownerId,
      draft_revision: 1,
    })
    .execute();
  await db
    .insertInto('quorate.drafts')
    .values({
      workspace_id: workflow.workspaceId,
      artifact_id: workflow.id,
      revision: 1,
      document: JSON.stringify(workflow.document),
      author_id: workflow.ownerId,
    })
    .execute();
}
