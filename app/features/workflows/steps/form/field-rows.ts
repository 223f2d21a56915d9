import { z } from 'zod';
import { fieldRules } from '#app/domain/workflows/fields/field-rules.ts';
import { FIELD_TYPES } from '#app/domain/workflows/fields/field-types.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';

/** A field of a form as its row posts it. */
export const fieldRowSchema = z.object({
  name: z.string().default(''),
  title: z.string().max(120).default(''),
  type: z.enum(FIELD_TYPES).default('text'),
  required: z.boolean().default(false),
  /** One option per line. */
  options: z.string().max(12_500).default(''),
  help: z.string().max(500).default(''),
});
type FieldRow = z.output<typeof fieldRowSchema>;

const EMPTY_ROW: FieldRow = { name: '', title: '', type: 'text', required: true, options: '', help: '' };

/** The rows for fields that stand, with empty ones below. */
export const fieldRowsOf = (fields: readonly InputField[]): FieldRow[] => [
  ...fields.map((field) => ({ ...field, options: field.options.join('\n') })),
  ...Array.from({ length: SPARE_ROWS }, () => EMPTY_ROW),
];

/** The field of a row, not checked yet; null for an empty one. */
export function fieldOfRow(row: FieldRow): InputField | null {
  const name = row.name.trim();
  const title = row.title.trim();
  if (name === '' && title === '') return null;
  const written = row.options.split('\n').map((option) => option.trim());
  const options = written.filter((option) => option !== '');
  const codes = fieldRules(row.type).options === 'currencies';
  return { ...row, name, title: title === '' ? name : title, options: codes ? options.map((code) => code.toUpperCase()) : options };
}
