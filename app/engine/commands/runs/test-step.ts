import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { stepSchema } from '#app/domain/workflows/steps/step.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { pathOfRenamed, replaceStep, stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { idSchema } from '#app/engine/commands/command.ts';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { readTestData } from '#app/engine/workflows/read-test-data.ts';

/**
 * Runs one step of a draft, saved or as its form has it, as a test run, under every policy, on the data of a sample or of the newest run.
 * @throws AppError conflict { what: draftChanged | stepIssues }; not_found, with { what: testData } where there is none
 */
export const testStep = defineStart({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({
    workflow: idSchema,
    revision: z.number().int().min(0),
    path: z.string().max(1_000),
    /** In place of the saved one, as its form has it. */
    step: stepSchema,
    /** The index of a sample; null: the newest run. */
    sample: z.number().int().min(0).nullable(),
    requestKey: z.uuid(),
  }),
  changes: ['quorate.versions', 'quorate.artifacts'],
  async prepare({ db, principal, newId }, { workflow, revision, path, step, sample }) {
    const draft = await loadDraft(db, workflow);
    if (draft.revision !== revision) throw new AppError('conflict', { values: { what: 'draftChanged' } });
    const written = stepAt(draft.document, path)?.kind === step.kind ? replaceStep(draft.document, path, step) : null;
    // The steps for a bad end only run at one.
    if (written === null || cleanupOf([step]) !== undefined) throw new AppError('not_found');
    const issues = checkWorkflow(written, await loadCatalogue(db, draft.id), parseExpression);
    if (issues.some((issue) => `${issue.path}/`.startsWith(`${pathOfRenamed(path, step.id)}/`)))
      throw new AppError('conflict', { values: { what: 'stepIssues' } });
    const { input, trial } = await readTestData(db, draft, { step, path }, sample);
    const document = { ...EMPTY_WORKFLOW, input: draft.document.input, steps: [step] };
    const { id: workspaceId } = principal.workspace;
    const frozen = { id: newId(), workspaceId, artifactId: draft.id, authorId: principal.userId, document, publish: false };
    const { id: versionId } = await freezeVersion(db, frozen);
    return { artifactId: draft.id, versionId, document, mode: 'test', input, name: draft.name, trial };
  },
});
