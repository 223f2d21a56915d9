import { z } from 'zod';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';

/** Calls one capability as a test run of one step (`document`), under every policy and in the journal like any other run. */
export const inspectCapability = defineStart({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({
    name: z.string().max(120),
    document: z.custom<WorkflowDocument>((value) => typeof value === 'object' && value !== null),
    requestKey: z.string(),
  }),
  changes: ['quorate.artifacts', 'quorate.versions'],
  async prepare(call, { name, document }) {
    const { db, principal, newId } = call;
    const artifactId = await inspectionOf(call, name);
    const { id: workspaceId } = principal.workspace;
    const frozen = { id: newId(), workspaceId, artifactId, authorId: principal.userId, document, publish: false };
    const version = await freezeVersion(db, frozen);
    return { artifactId, versionId: version.id, document, mode: 'test', input: {}, name };
  },
});

/** One artifact for all inspections of a capability. */
async function inspectionOf({ db, principal, newId }: CommandCall, name: string): Promise<string> {
  const { id: workspaceId } = principal.workspace;
  const known = await db
    .selectFrom('quorate.artifacts')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'inspection')
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const id = newId();
  await db
    .insertInto('quorate.artifacts')
    .values({ id, workspace_id: workspaceId, kind: 'inspection', name, owner_id: principal.userId })
    .execute();
  return id;
}
