import { z } from 'zod';
import { type CreateDocumentStep, DOCUMENT_FORMATS } from '#app/domain/workflows/steps/create-document-step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const createDocumentFormSchema = z.object({
  ...stepFields,
  format: z.enum(DOCUMENT_FORMATS),
  fileName: z.string().trim().max(20_000).default(''),
  rows: z.string().trim().max(20_000).default(''),
  columns: z.string().max(20_000).default(''),
  template: z.string().max(50_000).default(''),
});

export function readCreateDocumentStep(values: z.output<typeof createDocumentFormSchema>): CreateDocumentStep {
  const { format, fileName, rows, columns, template } = values;
  return { ...commonOf(values), kind: 'create_document', format, fileName, rows, columns, template };
}
