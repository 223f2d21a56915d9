import { data } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { type FormErrors, type FormReply, invalidForm } from '#app/components/form/parse-form.server.ts';
import { AppError } from '#app/domain/errors.ts';

/**
 * The form of a start as it was typed, and why nothing was started: the workspace is halted, too many runs wait, or the quota is used up.
 * `texts`: what is said of its own refusals. Throws every other error on.
 */
export function refusedStart(reply: FormReply, error: unknown, texts: { paused?: string; conflict?: string; invalid?: FormErrors } = {}) {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'halted') return invalidForm(reply, { formErrors: ['workspaceHalted'] }, 423);
  if (error.code === 'quota_exceeded') return invalidForm(reply, { formErrors: ['quotaExceeded'] }, 402);
  if (error.values.what === 'queue') return queueFull(reply, error);
  const refused = error.values.what === 'paused' ? texts.paused : error.code === 'conflict' ? texts.conflict : undefined;
  if (refused !== undefined) return invalidForm(reply, { formErrors: [refused] }, 409);
  if (error.code === 'invalid_input' && texts.invalid !== undefined) return invalidForm(reply, texts.invalid);
  throw error;
}

function queueFull(reply: FormReply, error: AppError) {
  const seconds = Number(error.values.seconds);
  const refused = invalidForm(reply, { formErrors: [message('queueFull', { seconds })] });
  return data(refused.data, { status: error.status, headers: { 'Retry-After': String(seconds) } });
}
