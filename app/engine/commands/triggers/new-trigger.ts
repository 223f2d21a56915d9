import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';

/** Of one workspace. */
const MAX_TRIGGERS = 200;

/** The input of every new trigger; the id is made with its form, so that it is made once. */
export const newTriggerSchema = z.object({ id: z.uuid(), name: z.string().trim().min(1).max(80), workflow: z.uuid() });

/** The version in force of the workflow that a trigger is to start. @throws Refusal where it was never published */
export async function requirePublished({ db }: CommandCall, workflow: string): Promise<WorkflowDocument> {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.id', '=', workflow)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .select('v.document')
    .executeTakeFirst();
  if (row === undefined) throw refusal('invalid_input', 'chooseOne', { field: 'workflow' });
  return workflowDocumentSchema.parse(row.document);
}

/** @throws Refusal where the workspace has all the triggers that it may have */
export async function requireFewTriggers({ db, principal }: CommandCall): Promise<void> {
  const rows = await db
    .selectFrom('quorate.triggers')
    .select('id')
    .where('workspace_id', '=', principal.workspace.id)
    .limit(MAX_TRIGGERS)
    .execute();
  if (rows.length >= MAX_TRIGGERS) throw refusal('invalid_input', 'tooManyTriggers');
}
