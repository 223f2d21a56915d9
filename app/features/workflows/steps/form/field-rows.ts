import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { checkOptions, type FieldFault, valueField } from '#app/domain/workflows/fields/check-fields.ts';
import { fieldRules } from '#app/domain/workflows/fields/field-rules.ts';
import { FIELD_TYPES, FIELDS_MAX, FIELDS_MAX_DEPTH, ITEM_TYPES } from '#app/domain/workflows/fields/field-types.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

const own = {
  name: z.string().default(''),
  title: z.string().max(120).default(''),
  type: z.enum(FIELD_TYPES).default('text'),
  /** The type of a list's entries. */
  of: z.enum(ITEM_TYPES).default('text'),
  required: z.boolean().default(false),
  /** One option per line. */
  options: z.string().max(12_500).default(''),
  help: z.string().max(500).default(''),
};
type FieldRow = z.output<z.ZodObject<typeof own>> & { fields?: FieldRow[] | undefined };

/** The rows of a form of fields; rows without a name and a label are left out. A fault stands at the row and control that has it. */
export const fieldRowsSchema = rowsOver(FIELDS_MAX_DEPTH, FIELDS_MAX + 2);

function rowsOver(depth: number, most: number): z.ZodType<FieldRow[]> {
  const row: z.ZodType<FieldRow> = depth > 1 ? z.object({ ...own, fields: rowsOver(depth - 1, FIELDS_MAX).default([]) }) : z.object(own);
  return z
    .array(row.superRefine(checkRow))
    .max(most)
    .superRefine((rows, context) => {
      const taken = new Set<string>();
      for (const [index, each] of rows.entries()) {
        const name = each.name.trim();
        if (name !== '' && taken.has(name)) context.addIssue({ code: 'custom', message: 'nameTaken', path: [index, 'name'] });
        taken.add(name);
      }
    });
}

/** Where the form shows a fault of a field. */
const FAULT_PARTS = {
  duplicateField: 'name',
  noOptions: 'options',
  hiddenOption: 'options',
  unknownCurrency: 'options',
  noGroupFields: 'type',
  fileInside: 'type',
  tooManyFields: 'type',
} as const satisfies Record<FieldFault, keyof typeof own>;

function checkRow(row: FieldRow, context: z.RefinementCtx): void {
  const field = fieldOfRow(row);
  if (field === null) return;
  const report = (part: string, text: string) => context.addIssue({ code: 'custom', message: text, path: [part] });
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(field.name)) report('name', 'fieldName');
  if (field.options.length > 100 || field.options.some((option) => option.length > 120)) report('options', 'invalid');
  checkOptions(field, field.name, (key, values) => report(FAULT_PARTS[key], message(`workflow.${key}`, values)));
}

/** The values of a new row. */
export const EMPTY_ROW: FieldRow = { name: '', title: '', type: 'text', of: 'text', required: true, options: '', help: '' };
/** The rows for fields that stand; one empty row where there are none. */
export function fieldRowsOf(fields: readonly InputField[]): FieldRow[] {
  return fields.length === 0 ? [EMPTY_ROW] : fields.map(rowOf);
}

const rowOf = ({ of = 'text', options, fields, ...field }: InputField): FieldRow => ({
  ...field,
  of,
  options: options.join('\n'),
  ...(fields !== undefined && { fields: fields.map(rowOf) }),
});

/** The field of a row, not checked yet; null for an empty one. */
export function fieldOfRow({ fields = [], of, ...row }: FieldRow): InputField | null {
  const name = row.name.trim();
  const title = row.title.trim();
  if (name === '' && title === '') return null;
  const written = row.options.split('\n').map((option) => option.trim());
  const base = { ...row, name, title: title === '' ? name : title, options: [], ...(row.type === 'list' && { of }) };
  const { type } = valueField(base);
  const options = written.filter((option) => option !== '');
  const within = fields.map(fieldOfRow).filter((field) => field !== null);
  return {
    ...base,
    options: fieldRules(type).options === 'currencies' ? options.map((code) => code.toUpperCase()) : options,
    ...(type === 'group' && { fields: within }),
  };
}
