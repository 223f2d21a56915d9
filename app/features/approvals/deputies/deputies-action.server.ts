import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { beginOfDay, endOfDay } from '#app/domain/web/day-bounds.ts';
import { endDeputy } from '#app/engine/commands/approvals/end-deputy.ts';
import { nameDeputy } from '#app/engine/commands/approvals/name-deputy.ts';
import { deputySchema } from '#app/features/approvals/deputies/deputy-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider> };
const PAGE = href('/dashboard/approvals/deputies');

/** Names a deputy, or with the field `end` ends the time of one. */
export async function deputiesAction({ request, context }: Arguments) {
  const sent = await request.formData();
  const ending = sent.get('end');
  if (typeof ending === 'string') return endAction(context, ending);
  const parsed = await parseFormData(sent, deputySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { id, user, deputy, from, until, zone, reason } = parsed.value;
  const time = {
    from: from === undefined ? null : beginOfDay(from, zone),
    until: until === undefined ? null : endOfDay(until, zone),
  };
  if ((from !== undefined && time.from === null) || (until !== undefined && time.until === null))
    return invalidForm(parsed.reply, { fieldErrors: { until: ['deputyTime'] } });
  try {
    await performAsMember(context, nameDeputy, { id, user, deputy, ...time, reason });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(PAGE, 'deputyNamed');
}

async function endAction(context: Arguments['context'], id: string) {
  try {
    await performAsMember(context, endDeputy, { id });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return redirectWithNotice(PAGE, 'deputyOver', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(PAGE, 'deputyEnded');
}
