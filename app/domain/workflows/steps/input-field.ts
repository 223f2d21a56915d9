import { z } from 'zod';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { FIELD_TYPES, FIELDS_MAX, FIELDS_MAX_DEPTH, ITEM_TYPES, type ItemType } from '#app/domain/workflows/fields/field-types.ts';

const own = {
  name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.fieldName'),
  title: z.string().min(1).max(120),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(true),
  /** Of a choice, what may be chosen; of money, the currencies, where not all. */
  options: z.array(z.string().min(1).max(120)).max(100).default([]),
  help: z.string().max(500).default(''),
  /** Of a list, what each entry is. Absent rather than empty, as `fields` is, so that documents from before keep their hash. */
  of: z.enum(ITEM_TYPES).optional(),
};

/** A field that a run, or a person whom it asks, fills in. `fields`: of a group, or of each entry of a list of groups. */
export type InputField = z.infer<z.ZodObject<typeof own>> & { fields?: InputField[] | undefined };

const fieldOver = (within: z.ZodType<InputField[] | undefined>): z.ZodType<InputField> => z.object({ ...own, fields: within });
export const inputFieldSchema = Array.from({ length: FIELDS_MAX_DEPTH - 1 }).reduce<z.ZodType<InputField>>(
  (inner) => fieldOver(z.array(inner).max(FIELDS_MAX).optional()),
  fieldOver(z.never().optional()),
);

/** Options of a choice as they are read: a caller's model is sent, a form posts and a run gets one and the same text. */
export function visibleOptions({ options }: InputField): string[] {
  return [...new Set(options.map(visibleText))];
}

/** The field of a list's entry; each entry must be filled in. */
export const entryField = ({ of, ...list }: InputField): InputField => ({
  ...list,
  type: of ?? ('text' satisfies ItemType),
  required: true,
});
