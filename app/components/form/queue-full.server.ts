import { data } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { type FormReply, invalidForm } from '#app/components/form/parse-form.server.ts';
import type { AppError } from '#app/domain/errors.ts';

/** A start that was refused because too many runs wait: the form as it was typed, and when there should be room. */
export function queueFull(reply: FormReply, error: AppError) {
  const seconds = Number(error.values.seconds);
  const refused = invalidForm(reply, { formErrors: [message('queueFull', { seconds })] });
  return data(refused.data, { status: error.status, headers: { 'Retry-After': String(seconds) } });
}
