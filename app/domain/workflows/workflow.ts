import { z } from 'zod';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import type { StepKind } from '#app/domain/statuses.ts';
import { UNKNOWN_OUTCOMES } from '#app/domain/workflows/repeatable-call.ts';

/**
 * The document of a workflow: what a draft holds and a version freezes. A value of a mapping that begins with `=` is a
 * JSONata expression over `{ input, steps, run }` (`=input.text`, `=steps.screen.matches[0]`); anything else is a
 * literal, read as the type that the target's schema wants.
 */
export const WORKFLOW_FORMAT = 'quorate.workflow/1';
/** A document over this size is refused before it is read further (bytes of its JSON). */
export const WORKFLOW_MAX_BYTES = 262_144;
export const WORKFLOW_MAX_STEPS = 200;
export const WORKFLOW_MAX_DEPTH = 5;

export const stepIdSchema = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.stepId');
const mappingSchema = z.record(z.string().max(120), z.string().max(20_000));

export const inputFieldSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.fieldName'),
  title: z.string().min(1).max(120),
  type: z.enum(['text', 'longtext', 'number', 'boolean', 'choice', 'date']),
  required: z.boolean().default(true),
  options: z.array(z.string().min(1).max(120)).max(100).default([]),
  help: z.string().max(500).default(''),
});
export type InputField = z.infer<typeof inputFieldSchema>;

const stepCommon = {
  id: stepIdSchema,
  name: z.string().min(1).max(120),
  /** Seconds one attempt may take. */
  timeoutSeconds: z.number().int().min(1).max(3600).default(30),
  /** Attempts after the first. */
  retries: z.number().int().min(0).max(10).default(2),
  /** Wait before the first retry in seconds; doubles with each. */
  backoffSeconds: z.number().int().min(0).max(3600).default(1),
  /** `fail` ends the run, `continue` goes on with a null output. */
  onError: z.enum(['fail', 'continue']).default('fail'),
};

/** Absent in what was written before there was a choice, and means `fail`: filled in, it would change the bytes of what is imported. */
const callCommon = { unknownOutcome: z.enum(UNKNOWN_OUTCOMES).optional() };

/** `connection` and `capability` null: Quorate routes by `task` among the approved capabilities that fit. */
const targetCommon = {
  connection: z.string().max(48).nullable().default(null),
  capability: z.string().max(200).nullable().default(null),
  task: z.string().max(500).default(''),
  input: mappingSchema.default({}),
};

const toolStepSchema = z.object({ ...stepCommon, ...callCommon, kind: z.literal('tool'), ...targetCommon });
const agentStepSchema = z.object({ ...stepCommon, ...callCommon, kind: z.literal('agent'), ...targetCommon });
/** `input` maps `prompt` and, where wanted, `system`. */
const modelStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('model'),
  ...targetCommon,
  /** Of one answer; null: the model's own limit. */
  maxTokens: z.number().int().min(1).max(100_000).nullable().default(1_000),
  /** Null: the provider's own. */
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** JSON Schema as text that the answer must fit; empty: plain text. */
  schema: z.string().max(20_000).default(''),
});
const approvalStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('approval'),
  /** What the approver is asked. */
  question: z.string().min(1).max(500),
  /** What the approver is shown: label → mapping. */
  show: mappingSchema.default({}),
  risk: z.enum(['low', 'medium', 'high']).default('medium'),
  quorum: z.number().int().min(1).max(9).default(1),
  dueHours: z.number().int().min(1).max(720).default(72),
});
const transformStepSchema = z.object({ ...stepCommon, kind: z.literal('transform'), expression: z.string().min(1).max(20_000) });

export type ToolStep = z.infer<typeof toolStepSchema>;
export type AgentStep = z.infer<typeof agentStepSchema>;
export type ModelStep = z.infer<typeof modelStepSchema>;
export type ApprovalStep = z.infer<typeof approvalStepSchema>;
export type TransformStep = z.infer<typeof transformStepSchema>;
/** `choose` takes the first branch whose `when` is true (an empty `when` always is); `parallel` takes all at once. */
export type Branch = {
  label: string;
  when: string;
  steps: Step[];
  /** Shown instead of the label. Never stored. */
  title?: string;
};
export type BranchStep = {
  id: string;
  name: string;
  timeoutSeconds: number;
  retries: number;
  backoffSeconds: number;
  onError: 'fail' | 'continue';
  kind: 'branch';
  mode: 'choose' | 'parallel';
  branches: Branch[];
};
export type Step = ToolStep | AgentStep | ModelStep | ApprovalStep | TransformStep | BranchStep;

const branchStepSchema: z.ZodType<BranchStep> = z.object({
  ...stepCommon,
  kind: z.literal('branch'),
  mode: z.enum(['choose', 'parallel']).default('choose'),
  branches: z
    .array(
      z.object({
        label: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.branchLabel'),
        when: z.string().max(20_000).default(''),
        steps: z.array(z.lazy(() => stepSchema)).max(WORKFLOW_MAX_STEPS),
      }),
    )
    .min(1)
    .max(20),
}) as unknown as z.ZodType<BranchStep>;

const STEP_SCHEMAS = {
  tool: toolStepSchema,
  agent: agentStepSchema,
  model: modelStepSchema,
  approval: approvalStepSchema,
  transform: transformStepSchema,
  branch: branchStepSchema,
} satisfies { [Kind in StepKind]: z.ZodType<Extract<Step, { kind: Kind }>> };

export const stepSchema: z.ZodType<Step> = z.lazy(() => z.union(Object.values(STEP_SCHEMAS))) as unknown as z.ZodType<Step>;

/** Input that shows what a workflow does, by the names of its fields. */
const workflowSampleSchema = z.object({
  name: z.string().trim().min(1).max(80),
  input: z.record(z.string(), z.union([z.string().max(100_000), z.number(), z.boolean()])),
});

export const workflowDocumentSchema = z.object({
  format: z.literal(WORKFLOW_FORMAT),
  input: z.array(inputFieldSchema).max(50).default([]),
  steps: z.array(stepSchema).max(WORKFLOW_MAX_STEPS).default([]),
  /** JSONata over `{ input, steps, run }`; empty: the output of the last step. */
  output: z.string().max(20_000).default(''),
  /** Minutes the work takes by hand; 0: not stated, and then no efficiency gain is shown. */
  manualMinutes: z.number().int().min(0).max(100_000).default(0),
  /** Offered where a run starts. Absent rather than empty, so that documents from before keep their hash. */
  samples: z.array(workflowSampleSchema).min(1).max(10).optional(),
});
export type WorkflowDocument = z.infer<typeof workflowDocumentSchema>;

/** A workflow with its draft as it stands. */
export type WorkflowDraft = {
  id: string;
  name: string;
  description: string;
  ownerId: string;
  publishedVersionId: string | null;
  revision: number;
  /** Whether an older or a newer saved state exists to go to. */
  canUndo: boolean;
  canRedo: boolean;
  document: WorkflowDocument;
  /** How many of its runs are driven at once; null: any number. No part of a version: it holds from the moment it is saved. */
  runsAtOnce: number | null;
};

export const EMPTY_WORKFLOW: WorkflowDocument = { format: WORKFLOW_FORMAT, input: [], steps: [], output: '', manualMinutes: 0 };

/** Every step of a document with its path (`screen`, `triage/high/notify`), in the order of the outline. */
export function* walkSteps(steps: readonly Step[], prefix = ''): Generator<{ step: Step; path: string; depth: number }> {
  for (const step of steps) {
    const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
    yield { step, path, depth: path.split('/').length };
    if (step.kind === 'branch') for (const branch of step.branches) yield* walkSteps(branch.steps, `${path}/${branch.label}`);
  }
}

/** Options of a choice as they are read: a caller's model is sent, a form posts and a run gets one and the same text. */
export function visibleOptions({ options }: InputField): string[] {
  return [...new Set(options.map(visibleText))];
}

/** JSON Schema (2020-12) of the run's input, made from the fields. */
export function inputJsonSchema(fields: readonly InputField[]): { [key: string]: unknown } {
  const property = (field: InputField) => {
    const base = { title: visibleText(field.title), ...(field.help === '' ? {} : { description: visibleText(field.help) }) };
    if (field.type === 'number') return { ...base, type: 'number' };
    if (field.type === 'boolean') return { ...base, type: 'boolean' };
    if (field.type === 'choice') return { ...base, type: 'string', enum: visibleOptions(field) };
    if (field.type === 'date') return { ...base, type: 'string', format: 'date' };
    return { ...base, type: 'string', ...(field.required ? { minLength: 1 } : {}) };
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
    required: fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
  };
}
