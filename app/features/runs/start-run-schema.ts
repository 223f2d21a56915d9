import { z } from 'zod';
import { inputFieldShape, withinEntries } from '#app/components/form/input-field-shape.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

/** Names of the form's own fields; an input field of a workflow cannot begin with an underscore. */
export const startRunBase = { _mode: z.enum(['live', 'test', 'dry']), _key: z.uuid(), _revision: z.number().int().min(0).default(0) };

/** The schema of a run's form, made from the workflow's input fields. */
export function startRunSchema(fields: readonly InputField[]) {
  return z.object({ ...startRunBase, ...inputFieldShape(fields) }).superRefine(withinEntries);
}
