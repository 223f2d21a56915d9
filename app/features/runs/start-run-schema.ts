import { z } from 'zod';
import { type InputField, visibleOptions } from '#app/domain/workflows/workflow.ts';

/** Names of the form's own fields; an input field of a workflow cannot begin with an underscore. */
export const startRunBase = { _mode: z.enum(['live', 'test']), _key: z.uuid(), _revision: z.number().int().min(0).default(0) };

function fieldSchema(field: InputField): z.ZodType {
  switch (field.type) {
    case 'number':
      return field.required ? z.number() : z.number().optional();
    case 'boolean':
      return z.boolean().default(false);
    case 'choice':
      return field.required ? z.enum(visibleOptions(field)) : z.enum(visibleOptions(field)).optional();
    case 'date':
      return field.required ? z.iso.date() : z.iso.date().optional();
    case 'text':
    case 'longtext': {
      const text = z.string().max(100_000);
      return field.required ? text.trim().min(1) : text.optional();
    }
  }
}

/** The schema of a run's form, made from the workflow's input fields. */
export function startRunSchema(fields: readonly InputField[]) {
  return z.object({ ...startRunBase, ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])) });
}
