import type { ActionFunctionArgs } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { answerContactSchema } from '#app/features/admin/answer-contact-schema.ts';
import { loadContactRequest } from '#app/features/admin/load-contact-request.server.ts';
import { requireOperator } from '#app/features/admin/require-operator.server.ts';
import { servicesContext } from '#app/request-context.ts';

/** Notes that a request was answered, or takes that back. The log says who did, and nothing of what was written. */
export async function answerContact({ request, params, context }: ActionFunctionArgs) {
  const { member, change } = await requireOperator(context);
  const { id } = await loadContactRequest(context, params.request ?? '');
  const parsed = await parseForm(request, answerContactSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const answered = parsed.value.state === 'answered';
  const at = context.get(servicesContext).now();
  await change(async (db) => {
    await db
      .updateTable('quorate.contact_requests')
      .set({ answered_at: answered ? at : null, answered_by: answered ? member.userId : null })
      .where('id', '=', id)
      .executeTakeFirst();
    return { result: null, event: { action: answered ? 'contact.answered' : 'contact.reopened', resource: { kind: 'contact', id } } };
  });
  const list = '/dashboard/admin/contact-requests';
  return answered ? redirectWithNotice(list, 'contactAnswered') : redirectWithNotice(`${list}/${id}`, 'contactReopened');
}
