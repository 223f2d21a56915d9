import { z } from 'zod';
import type { ReadDocumentStep } from '#app/domain/workflows/steps/read-document-step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const readDocumentFormSchema = z.object({ ...stepFields, file: z.string().trim().max(20_000).default('') });

export function readReadDocumentStep(values: z.output<typeof readDocumentFormSchema>): ReadDocumentStep {
  return { ...commonOf(values), kind: 'read_document', file: values.file };
}
