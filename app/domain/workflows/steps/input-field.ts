import { z } from 'zod';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { FIELD_TYPES } from '#app/domain/workflows/fields/field-types.ts';

/** A field that a run, or a person whom it asks, fills in. */
export const inputFieldSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.fieldName'),
  title: z.string().min(1).max(120),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(true),
  /** Of a choice, what may be chosen; of money, the currencies, where not all. */
  options: z.array(z.string().min(1).max(120)).max(100).default([]),
  help: z.string().max(500).default(''),
});
export type InputField = z.infer<typeof inputFieldSchema>;

/** Options of a choice as they are read: a caller's model is sent, a form posts and a run gets one and the same text. */
export function visibleOptions({ options }: InputField): string[] {
  return [...new Set(options.map(visibleText))];
}
