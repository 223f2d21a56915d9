import { configureForms, type FormMetadata, type SubmissionResult } from '@conform-to/react/future';
import { coerceFormValue, formatResult, getConstraints, isSchema } from '@conform-to/zod/v4/future';
import type { z } from 'zod';
import { defaultMessages } from '#app/components/form/messages.ts';

/**
 * The answer to an invalid submission: the values as typed (without secrets) and their errors. Only Conform reads inside; spelled out, its
 * recursive payload type does not survive the router's serialisation.
 */
export type FormResult = { readonly submission: { readonly fields: string[]; readonly intent: string | null }; readonly error?: unknown };

const { useForm, FormProvider } = configureForms({
  isSchema,
  getConstraints,
  validateSchema(schema, payload) {
    const result = coerceFormValue(schema).safeParse(payload, { error: defaultMessages });
    // Conform infers the output through the standard schema, zod through its own: the same type by two names.
    return { error: formatResult(result), value: result.data as never };
  },
  isError: (error: unknown): error is string[] => Array.isArray(error) && error.every((entry) => typeof entry === 'string'),
});

export { FormProvider };

export type AppFormMetadata = FormMetadata<string[]>;

type AppFormOptions<Schema extends z.ZodType> = {
  /** Of the action: `actionData`, or undefined before the first submission. */
  lastResult?: FormResult | null | undefined;
  defaultValue?: Partial<{ [Key in keyof z.input<Schema>]: unknown }> | undefined;
  /** Must be given where a page holds more than one form. */
  id?: string;
};

/**
 * State of one form: `form` for AppForm, `fields` for the field parts. The server decides what is valid; the same schema
 * only tells the person sooner in the browser.
 */
export function useAppForm<Schema extends z.ZodType>(
  schema: Schema,
  { lastResult, defaultValue, id = 'form' }: AppFormOptions<Schema> = {},
) {
  return useForm(schema, {
    id,
    lastResult: (lastResult ?? null) as SubmissionResult<string[]> | null,
    defaultValue: defaultValue as never,
    // The error summary takes the focus (AppForm), not the first field.
    onError() {},
  });
}
