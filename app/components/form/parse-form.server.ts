import { parseSubmission, report, resolveSubmission, type Submission } from '@conform-to/react/future';
import { coerceFormValue, formatResult } from '@conform-to/zod/v4/future';
import { data } from 'react-router';
import type { z } from 'zod';
import { defaultMessages } from '#app/components/form/messages.ts';
import { readRowChange } from '#app/components/form/row-change.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { AppError } from '#app/domain/errors.ts';

export type FormErrors = { fieldErrors?: Record<string, readonly string[]>; formErrors?: readonly string[] };

/** A submission to be answered with `invalidForm`. `changed`: its values with a row added or taken away, where that is all that was asked. */
export type FormReply = {
  submission: Submission;
  errors: { fieldErrors: Record<string, string[]>; formErrors: string[] };
  changed?: Submission['payload'];
};

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
  const changed = changedRows(submission);
  if (changed !== null) return { ok: false, reply: { submission, errors: { fieldErrors: {}, formErrors: [] }, changed } };
  const unstorable = unstorableFields(formData);
  const result = await coerceFormValue(schema).safeParseAsync(submission.payload, { error: defaultMessages });
  if (result.success && Object.keys(unstorable).length === 0)
    return { ok: true, value: result.data as z.output<Schema>, reply: { submission, errors: { fieldErrors: {}, formErrors: [] } } };
  const error = formatResult(result);
  const found = Object.entries(error?.fieldErrors ?? {}).map(([name, errors]) => [name, errors ?? []]);
  const fieldErrors = { ...Object.fromEntries(found), ...unstorable };
  return { ok: false, reply: { submission, errors: { fieldErrors, formErrors: error?.formErrors ?? [] } } };
}

/** Rows of one list of a form, at most. */
const ROWS_MAX = 200;

/** The values of a form with a row added or taken away; null for one that is really sent. @throws AppError invalid_input */
function changedRows(submission: Submission): Submission['payload'] | null {
  if (submission.intent === null) return null;
  const change = readRowChange(submission.intent);
  if (change === null || isForeignName(change.name)) throw new AppError('invalid_input');
  const list = change.name
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Object.entries(value).find(([own]) => own === key)?.[1] : undefined),
      submission.payload,
    );
  if (list !== undefined && (!Array.isArray(list) || list.length > ROWS_MAX)) throw new AppError('invalid_input');
  return resolveSubmission(submission).targetValue ?? null;
}

/** Fields with U+0000, which PostgreSQL's text cannot hold. */
function unstorableFields(formData: FormData): Record<string, string[]> {
  const names = [...formData].filter(([name, value]) => typeof value === 'string' && value.includes('\0') && !isForeignName(name));
  return Object.fromEntries(names.map(([name]) => [name, ['invalid']]));
}

/** A form as it was sent, with what was typed and nothing else: an answer that neither saves nor checks it. */
export function formAsTyped(formData: FormData): FormResult {
  const submission = parseSubmission(formData, { skipEntry: isForeignName });
  return report(submission, { targetValue: submission.payload });
}

/** Answers 400 with the values as typed and their errors. Messages are keys of the namespace `validation`. */
export function invalidForm(reply: FormReply, more: FormErrors = {}, status = 400) {
  if (reply.changed !== undefined) return data<FormResult>(report(reply.submission, { targetValue: reply.changed }), { status: 200 });
  const fieldErrors: Record<string, string[]> = { ...reply.errors.fieldErrors };
  for (const [name, errors] of Object.entries(more.fieldErrors ?? {})) fieldErrors[name] = [...(fieldErrors[name] ?? []), ...errors];
  const formErrors = [...reply.errors.formErrors, ...(more.formErrors ?? [])];
  const result: FormResult = report(reply.submission, {
    error: { fieldErrors, formErrors: formErrors.length > 0 ? formErrors : null },
    hideFields: reply.submission.fields.filter((name) => SECRET_NAME.test(name)),
  });
  return data<FormResult>(result, { status });
}
