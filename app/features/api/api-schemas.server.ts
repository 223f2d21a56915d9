import { z } from 'zod';
import { APPROVAL_STATUSES, RISKS, RUN_STATUSES } from '#app/contracts/statuses.ts';
import { runFileSchema } from '#app/domain/documents/run-file.ts';
import { SEARCH_WORDS_MAX } from '#app/domain/web/search-words.ts';
import { stepSchema } from '#app/domain/workflows/steps/step.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';

/** Every shape that /api/v1 takes or answers; the OpenAPI document is made from these and from nothing else. */
const id = z.uuid();
const at = z.iso.datetime();
const json = z.json();

export const apiWorkflow = z.object({
  id,
  name: z.string(),
  description: z.string(),
  version: z.number().int().describe('Number of the version in force'),
  input: z.record(z.string(), json).describe('JSON Schema of what a start takes'),
});
export const apiDraft = z.object({
  id,
  name: z.string(),
  description: z.string(),
  published: z.boolean().describe('Whether a version was ever published'),
  revision: z.number().int().describe('Goes up with each change'),
  document: workflowDocumentSchema,
  issues: z
    .array(
      z.object({
        path: z.string().describe('The step, by the ids that lead to it; empty: the workflow'),
        field: z.string(),
        key: z.string(),
        values: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    )
    .describe('What has to be put right before a person can publish it'),
});
const creating = createWorkflow.input.shape;
export const apiNewWorkflow = z.strictObject({
  name: creating.name,
  description: creating.description.default(''),
  document: creating.document.optional().describe('Without one the workflow begins empty'),
});
const editing = editWorkflow.input.shape;
export const apiDraftChange = z.strictObject({
  revision: editing.revision.describe('The one that was read: a change made since is not overwritten'),
  document: editing.document,
});
/** Shapes that the OpenAPI document names, for they hold each other or themselves. */
export const apiShapes = z
  .registry<{ id: string }>()
  .add(json, { id: 'Json' })
  .add(stepSchema, { id: 'Step' })
  .add(workflowDocumentSchema, { id: 'WorkflowDocument' })
  .add(apiDraft, { id: 'Draft' })
  .add(apiNewWorkflow, { id: 'NewWorkflow' })
  .add(apiDraftChange, { id: 'DraftChange' });
export const apiRun = z.object({
  id,
  number: z.number().int().describe('Counts in the workspace; people write it as #12'),
  subject: z.string().nullable().describe('What the run is about, as its workflow makes it of the input; null: it makes none'),
  workflowId: id,
  workflow: z.string(),
  status: z.enum(RUN_STATUSES),
  mode: z.enum(['live', 'test']),
  createdAt: at,
  finishedAt: at.nullable(),
  waitsFor: z
    .enum(['approval', 'form', 'signIn'])
    .nullable()
    .describe('What a waiting run, or a run that it has called, needs of a person'),
});
export const apiRunDetail = apiRun.extend({
  input: json,
  output: json.nullable(),
  error: json.nullable().describe('Key of a reason with its values'),
  approvalUrl: z.url().nullable().describe('Where a person decides, or fills in the form, that the run waits for'),
});
export const apiStarted = apiRun.pick({ id: true, number: true, subject: true, workflowId: true }).extend({ url: z.url() });
export const apiStart = z.strictObject({ workflowId: id, input: z.record(z.string(), json).default({}) });
export const apiFile = runFileSchema;
export const apiApproval = z.object({
  id,
  runId: id.nullable(),
  runNumber: z
    .number()
    .int()
    .nullable()
    .describe('Number of the run; people write it as #12. Null: it is about no run, or one that is not visible'),
  runSubject: z.string().nullable().describe('What the run is about; null: its workflow names no subject'),
  title: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  risk: z.enum(RISKS),
  actionDigest: z.string().describe('SHA-256 of exactly what will be done'),
  quorum: z.number().int(),
  createdAt: at,
  dueAt: at,
  decidedAt: at.nullable(),
  url: z.url().describe('Where a person decides; no key can'),
});
export const apiEvent = z.object({
  id,
  at,
  actor: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  action: z.string(),
  resource: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
  leafIndex: z.number().int().nullable().describe('Place in the workspace’s Merkle log; null for about a second after the change'),
});
export const apiProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
});

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: id.optional().describe('`next` of the page before'),
});
export const runsQuery = pageQuery.extend({
  status: z.enum(RUN_STATUSES).optional(),
  workflowId: id.optional(),
  q: z
    .string()
    .min(1)
    .max(SEARCH_WORDS_MAX)
    .optional()
    .describe(
      'Words in the subject, the input, the output or the steps, or the number of a run (`#12`, `12`). A page may then hold fewer runs than `limit`, also none, and still have a `next`',
    ),
});
export const approvalsQuery = pageQuery.extend({ status: z.enum(APPROVAL_STATUSES).optional() });
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), next: id.nullable() });
