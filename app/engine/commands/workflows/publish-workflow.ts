import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { CONTROL_REFUSALS } from '#app/engine/control/request-control-change.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { publishVersion } from '#app/engine/workflows/publish-version.ts';

/** The faults of a draft that was to be published, each with its place. */
export class NotPublishable extends AppError {
  readonly issues: WorkflowIssue[];
  constructor(issues: WorkflowIssue[]) {
    super('invalid_input');
    this.issues = issues;
  }
}

/**
 * Freezes the draft as the next version and puts it into force, unless something in it is wrong. Where another person agrees to it first, it
 * waits for them (result `requested`).
 */
export const publishWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, revision: z.number(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['workflow.published', 'change.requested'],
  changes: ['quorate.artifacts', 'quorate.versions'],
  repeat: 'repeats',
  weakens: ['workflow_publish'],
  refusals: CONTROL_REFUSALS,
  async change(call, { workflow, revision, reason }) {
    const { db } = call;
    const draft = await loadDraft(db, workflow);
    if (draft.revision !== revision) throw new AppError('conflict');
    const issues = checkWorkflow(draft.document, await loadCatalogue(db, draft.id), parseExpression);
    if (issues.length > 0) throw new NotPublishable(issues);
    const { id, name, document } = draft;
    return publishVersion(call, 'workflow.published', { kind: 'workflow', id, name, document, reason });
  },
});
