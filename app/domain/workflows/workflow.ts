import { z } from 'zod';
import { fieldsJsonSchema } from '#app/domain/workflows/fields/field-rules.ts';
import { SUBJECT_TEMPLATE_MAX, WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { type InputField, inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { stepSchema } from '#app/domain/workflows/steps/step.ts';

/**
 * The document of a workflow: what a draft holds and a version freezes. A value of a mapping that begins with `=` is a
 * JSONata expression over `{ input, steps, run }` (`=input.text`, `=steps.screen.matches[0]`); anything else is a
 * literal, read as the type that the target's schema wants.
 */
export const WORKFLOW_FORMAT = 'quorate.workflow/1';

export const MOST_SAMPLES = 10;
export type SampleValue = string | number | boolean | { [name: string]: SampleValue } | SampleValue[];
const plainValue = z.union([z.string().max(100_000), z.number(), z.boolean()]);
/** How deep values stand in one another: lists and groups, and money in the innermost. */
const SAMPLE_MAX_DEPTH = 8;
/** A value of a sample. */
export const sampleValueSchema = Array.from({ length: SAMPLE_MAX_DEPTH }).reduce<z.ZodType<SampleValue>>(
  (inner) => z.union([plainValue, z.array(inner).max(1_000), z.record(z.string(), inner)]),
  plainValue,
);
/** Input that shows what a workflow does, by the names of its fields. */
const workflowSampleSchema = z.object({
  name: z.string().trim().min(1).max(80),
  input: z.record(z.string(), sampleValueSchema),
});

export type WorkflowSample = z.infer<typeof workflowSampleSchema>;

export const workflowDocumentSchema = z.object({
  format: z.literal(WORKFLOW_FORMAT),
  input: z.array(inputFieldSchema).max(50).default([]),
  /**
   * The subject by which people tell runs apart: a text with expressions over `{ input }` in double braces. Absent rather than empty,
   * so that documents from before keep their hash.
   */
  subject: z.string().min(1).max(SUBJECT_TEMPLATE_MAX).optional(),
  steps: z.array(stepSchema).max(WORKFLOW_MAX_STEPS).default([]),
  /** JSONata over `{ input, steps, run }`; empty: the output of the last step. */
  output: z.string().max(20_000).default(''),
  /** Minutes the work takes by hand; 0: not stated, and then no efficiency gain is shown. */
  manualMinutes: z.number().int().min(0).max(100_000).default(0),
  /** Offered where a run starts. Absent rather than empty, so that documents from before keep their hash. */
  samples: z.array(workflowSampleSchema).min(1).max(MOST_SAMPLES).optional(),
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

/** JSON Schema (2020-12) of the run's input, made from the fields. */
export const inputJsonSchema = (fields: readonly InputField[]): { [key: string]: unknown } => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...fieldsJsonSchema(fields),
});

/** The same of a document: of its fields, or of the tool that it serves (`takes`). */
export const inputSchemaOf = (document: Pick<WorkflowDocument, 'input'>): { [key: string]: unknown } =>
  'takes' in document && typeof document.takes === 'object' && document.takes !== null
    ? { ...document.takes }
    : inputJsonSchema(document.input);
