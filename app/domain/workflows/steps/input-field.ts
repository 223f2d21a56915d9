import { z } from 'zod';
import { hidesText, visibleText } from '#app/domain/connections/hidden-text.ts';

/** A field that a run, or a person whom it asks, fills in. */
export const inputFieldSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.fieldName'),
  title: z.string().min(1).max(120),
  type: z.enum(['text', 'longtext', 'number', 'boolean', 'choice', 'date']),
  required: z.boolean().default(true),
  options: z.array(z.string().min(1).max(120)).max(100).default([]),
  help: z.string().max(500).default(''),
});
export type InputField = z.infer<typeof inputFieldSchema>;

/** Options of a choice as they are read: a caller's model is sent, a form posts and a run gets one and the same text. */
export function visibleOptions({ options }: InputField): string[] {
  return [...new Set(options.map(visibleText))];
}

type FieldFault = 'duplicateField' | 'noOptions' | 'hiddenOption';

/** Reports the faults of fields beyond their schema, each with the name of the field. */
export function checkFields(fields: readonly InputField[], report: (key: FieldFault, values: { name: string }) => void): void {
  const seen = new Set<string>();
  for (const { name, type, options } of fields) {
    if (seen.has(name)) report('duplicateField', { name });
    seen.add(name);
    if (type === 'choice' && options.length === 0) report('noOptions', { name });
    if (type === 'choice' && options.some(hidesText)) report('hiddenOption', { name });
  }
}
