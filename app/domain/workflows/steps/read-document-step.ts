import { z } from 'zod';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const readDocumentStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('read_document'),
  /** An expression that gives a file: of the run's input, of an earlier step, or `{ name, base64 }`. */
  file: z.string().max(20_000).default(''),
});
export type ReadDocumentStep = z.infer<typeof readDocumentStepSchema>;

/** Reads a file: its text, its rows, or the size of an image. */
export const readDocumentRules: StepRules<ReadDocumentStep> = {
  schema: readDocumentStepSchema,
  create: (base) => ({ ...base, kind: 'read_document', file: '' }),
  mappings: () => ({}),
  check({ file }, { report, expression }) {
    if (file.trim() === '') report('file', 'noFile');
    else expression('file', stripMark(file));
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => ['kind', 'name', 'size', 'sha256', 'text', 'pages', 'columns', 'rows', 'cut'],
  innerNames: () => [],
};
