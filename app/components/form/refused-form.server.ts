import { message } from '#app/components/form/messages.ts';
import { type FormErrors, type FormReply, invalidForm } from '#app/components/form/parse-form.server.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** The form again, with the values as typed and the reason of the refusal. Rethrows every other error. */
export function refusedForm(reply: FormReply, error: unknown) {
  const { errors, status } = refusedErrors(error);
  return invalidForm(reply, errors, status);
}

/** The same for a screen whose action answers more than a form. */
export function refusedErrors(error: unknown): { errors: FormErrors; status: number } {
  if (!(error instanceof Refusal)) throw error;
  const texts = error.reasons.map(({ key, values }) => message(key, values));
  return { errors: error.field === null ? { formErrors: texts } : { fieldErrors: { [error.field]: texts } }, status: error.status };
}
