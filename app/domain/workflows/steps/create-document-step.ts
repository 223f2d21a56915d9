import { z } from 'zod';
import { columnsOf, placeholdersOf } from '#app/domain/documents/document-template.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

export const DOCUMENT_FORMATS = ['csv', 'html', 'docx'] as const;
export const TEMPLATE_MAX_PLACEHOLDERS = 100;

const createDocumentStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('create_document'),
  format: z.enum(DOCUMENT_FORMATS).default('csv'),
  /** The name of the file without its ending: a text, or an expression that gives one. */
  fileName: z.string().max(20_000).default(''),
  /** Of `csv`: an expression that gives a list of objects. */
  rows: z.string().max(20_000).default(''),
  /** Of `csv`: one column a line, as `key` or `key = Header`; empty: all keys of the rows. */
  columns: z.string().max(20_000).default(''),
  /** Of the others: lines of text with expressions in double braces. */
  template: z.string().max(50_000).default(''),
});
export type CreateDocumentStep = z.infer<typeof createDocumentStepSchema>;

/** Makes a file from a template and what is known; it is kept with the run. */
export const createDocumentRules: StepRules<CreateDocumentStep> = {
  schema: createDocumentStepSchema,
  create: (base) => ({ ...base, kind: 'create_document', format: 'csv', fileName: base.name, rows: '', columns: '', template: '' }),
  mappings: () => ({}),
  check({ format, fileName, rows, columns, template }, { report, expression }) {
    if (fileName.trim() === '') report('fileName', 'noFileName');
    else if (isExpression(fileName)) expression('fileName', stripMark(fileName));
    if (format === 'csv') {
      if (rows.trim() === '') report('rows', 'noRows');
      else expression('rows', stripMark(rows));
      const keys = columnsOf(columns).map(({ key }) => key);
      const twice = keys.find((key, at) => keys.indexOf(key) !== at);
      if (twice !== undefined) report('columns', 'columnTwice', { name: twice });
      return;
    }
    if (template.trim() === '') report('template', 'noTemplate');
    const placeholders = placeholdersOf(template);
    if (placeholders === null) report('template', 'openPlaceholder');
    else if (placeholders.length > TEMPLATE_MAX_PLACEHOLDERS) report('template', 'tooManyPlaceholders', { max: TEMPLATE_MAX_PLACEHOLDERS });
    else for (const text of placeholders) expression('template', text);
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => ['file', 'name', 'mediaType', 'size', 'sha256'],
  innerNames: () => [],
};
