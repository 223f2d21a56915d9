import { z } from 'zod';
import { SUBJECT_TEMPLATE_MAX } from '#app/domain/workflows/limits.ts';
import { fieldRowsSchema } from '#app/features/workflows/steps/form/field-rows.ts';

const revision = z.number().int().min(0);

export const inputFieldsSchema = z.object({
  revision,
  fields: fieldRowsSchema,
});

export const settingsSchema = z.object({
  revision,
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000).default(''),
  subject: z.string().trim().max(SUBJECT_TEMPLATE_MAX).default(''),
  output: z.string().max(20_000).default(''),
  manualMinutes: z.number().int().min(0).max(100_000).default(0),
  /** Empty: any number. */
  runsAtOnce: z.number().int().min(1).max(99_999).optional(),
});

/** The input of a run, to be kept under a name. One that is there already is replaced. */
export const sampleSchema = z.object({ revision, run: z.string(), name: z.string().trim().min(1).max(80) });

export const documentJsonSchema = z.object({ revision, document: z.string().min(1) });
