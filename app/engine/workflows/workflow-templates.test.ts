import { expect, test } from 'vitest';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { TEMPLATE_SENTENCES } from '#app/domain/workflows/template-words.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { WORKFLOW_TEMPLATES, type WorkflowTemplateId } from '#app/domain/workflows/workflow-templates.ts';
import { builtinConnections } from '#app/engine/connections/builtin-capabilities.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';

const builtin = builtinConnections();
const catalogue = {
  connections: builtin.map(({ slug, kind }) => ({ slug, protocol: kind })),
  capabilities: builtin.flatMap(({ slug, kind, capabilities }) =>
    capabilities.map(({ name, inputSchema }) => ({ connection: slug, protocol: kind, capability: name, approved: true, inputSchema })),
  ),
};

/** Steps that a workspace has to complete first, as no built-in peer offers them. */
const LEFT_TO_CHOOSE: Partial<Record<WorkflowTemplateId, string[]>> = { claimPayout: ['policy: noTarget', 'screen: noWorkflow'] };

test.each(WORKFLOW_TEMPLATES)(
  'the template $id can be published as it is, with the built-in peers and its own choices',
  ({ id, document }) => {
    const issues = checkWorkflow(document, catalogue, parseExpression);
    expect(issues.map(({ path, key }) => `${path}: ${key}`)).toEqual(LEFT_TO_CHOOSE[id] ?? []);
  },
);

/** All steps, those within others too. */
const stepsOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...('branches' in step ? step.branches.flatMap((branch) => stepsOf(branch.steps)) : [])]);

test.each(WORKFLOW_TEMPLATES)('runs of the template $id have a subject, and its approvals say what they would do', ({ document }) => {
  expect(document.subject).toMatch(/\{\{/);
  const approvals = stepsOf(document.steps).filter((step) => step.kind === 'approval');
  expect(approvals).not.toEqual([]);
  for (const { sentence = '' } of approvals) expect(Object.keys(TEMPLATE_SENTENCES)).toContain(sentence);
});

test.each(WORKFLOW_TEMPLATES)('every sample of the template $id is input that the workflow takes', ({ document }) => {
  expect(document.samples?.length).toBeGreaterThan(0);
  for (const { input } of document.samples ?? []) expect(checkRunInput(document, input)).toMatchObject({ ok: true });
});
