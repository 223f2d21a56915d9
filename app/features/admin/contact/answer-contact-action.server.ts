import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { answerContact } from '#app/engine/commands/operator/answer-contact.ts';
import { answerContactSchema } from '#app/features/admin/contact/answer-contact-schema.ts';
import { loadContactRequest } from '#app/features/admin/contact/load-contact-request.server.ts';
import { requireOperator } from '#app/features/admin/contact/require-operator.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Notes that a request was answered, or takes that back. The log says who did, and nothing of what was written. */
export async function answerContactAction({ request, params, context }: ActionFunctionArgs) {
  await requireOperator(context);
  const { id } = await loadContactRequest(context, params.request ?? '');
  const parsed = await parseForm(request, answerContactSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const answered = parsed.value.state === 'answered';
  await performAsMember(context, answerContact, { request: id, answered });
  return answered
    ? redirectWithNotice(href('/dashboard/admin/contact-requests'), 'contactAnswered')
    : redirectWithNotice(href('/dashboard/admin/contact-requests/:request', { request: id }), 'contactReopened');
}
