import { parseSubmission, report, type Submission } from '@conform-to/react/future';
import { coerceFormValue, formatResult } from '@conform-to/zod/v4/future';
import { data } from 'react-router';
import type { z } from 'zod';
import { defaultMessages } from '#app/components/form/messages.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';

export type FormErrors = { fieldErrors?: Record<string, readonly string[]>; formErrors?: readonly string[] };

/** A submission to be answered with `invalidForm`. */
export type FormReply = { submission: Submission; errors: { fieldErrors: Record<string, string[]>; formErrors: string[] } };

export type ParsedForm<Value> = { ok: true; value: Value; reply: FormReply } | { ok: false; reply: FormReply };

// Passwords are never sent back to the browser, whatever their field is called. Counts of tokens are not secrets.
const SECRET_NAME = /password|secret|credential|token(?!s)/i;

// Dots and brackets with up to three digits. Anything else is not one of our fields: a name that reaches into a prototype makes the parser
// throw, and an index of nine digits makes an array that takes minutes to walk.
const FIELD_NAME = /^[^.[\]]+(?:\[\d{0,3}\]|\.[^.[\]]+)*$/;
const isForeignName = (name: string) => !FIELD_NAME.test(name) || /(?:^|\.)(?:__proto__|constructor|prototype)(?:$|[.[])/.test(name);

/** Parses a posted form with its schema. `reply` is there in both cases: a command may still refuse a valid form. */
export async function parseForm<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<ParsedForm<z.output<Schema>>> {
  return parseFormData(await request.formData(), schema);
}

/** The same for form data already read. */
export async function parseFormData<Schema extends z.ZodType>(formData: FormData, schema: Schema): Promise<ParsedForm<z.output<Schema>>> {
  const submission = parseSubmission(formData, { skipEntry: isForeignName });
  const unstorable = unstorableFields(formData);
  const result = await coerceFormValue(schema).safeParseAsync(submission.payload, { error: defaultMessages });
  if (result.success && Object.keys(unstorable).length === 0)
    return { ok: true, value: result.data as z.output<Schema>, reply: { submission, errors: { fieldErrors: {}, formErrors: [] } } };
  const error = formatResult(result);
  const found = Object.entries(error?.fieldErrors ?? {}).map(([name, errors]) => [name, errors ?? []]);
  const fieldErrors = { ...Object.fromEntries(found), ...unstorable };
  return { ok: false, reply: { submission, errors: { fieldErrors, formErrors: error?.formErrors ?? [] } } };
}

/** Fields with U+0000, which PostgreSQL's text cannot hold. */
function unstorableFields(formData: FormData): Record<string, string[]> {
  const names = [...formData].filter(([name, value]) => typeof value === 'string' && value.includes('\0') && !isForeignName(name));
  return Object.fromEntries(names.map(([name]) => [name, ['invalid']]));
}

/** Answers 400 with the values as typed and their errors. Messages are keys of the namespace `validation`. */
export function invalidForm(reply: FormReply, more: FormErrors = {}, status = 400) {
  const fieldErrors: Record<string, string[]> = { ...reply.errors.fieldErrors };
  for (const [name, errors] of Object.entries(more.fieldErrors ?? {})) fieldErrors[name] = [...(fieldErrors[name] ?? []), ...errors];
  const formErrors = [...reply.errors.formErrors, ...(more.formErrors ?? [])];
  const result: FormResult = report(reply.submission, {
    error: { fieldErrors, formErrors: formErrors.length > 0 ? formErrors : null },
    hideFields: reply.submission.fields.filter((name) => SECRET_NAME.test(name)),
  });
  return data<FormResult>(result, { status });
}
