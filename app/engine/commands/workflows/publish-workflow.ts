import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';

/** The faults of a draft that was to be published, each with its place. */
export class NotPublishable extends AppError {
  readonly issues: WorkflowIssue[];
  constructor(issues: WorkflowIssue[]) {
    super('invalid_input');
    this.issues = issues;
  }
}

/** Freezes the draft as the next version and puts it into force, unless something in it is wrong. */
export const publishWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, revision: z.number() }),
  actions: ['workflow.published'],
  changes: ['quorate.artifacts', 'quorate.versions'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { workflow, revision }) {
    const draft = await loadDraft(db, workflow);
    if (draft.revision !== revision) throw new AppError('conflict');
    const issues = checkWorkflow(draft.document, await loadCatalogue(db, draft.id), parseExpression);
    if (issues.length > 0) throw new NotPublishable(issues);
    const { number, contentHash } = await freezeVersion(db, {
      id: newId(),
      workspaceId: principal.workspace.id,
      artifactId: draft.id,
      authorId: principal.userId,
      document: draft.document,
      publish: true,
      now: now(),
    });
    const resource = { kind: 'workflow', id: draft.id, name: draft.name };
    return { result: null, event: { action: 'workflow.published', resource, payload: { version: number, contentHash } } };
  },
});
