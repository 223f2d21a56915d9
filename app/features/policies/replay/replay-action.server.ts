import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { cancelReplay } from '#app/engine/commands/policies/cancel-replay.ts';
import { startReplay } from '#app/engine/commands/policies/start-replay.ts';
import { policyText } from '#app/engine/policy/author-policy.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { readPolicy } from '#app/features/policies/load-policy.server.ts';
import { replaySchema } from '#app/features/policies/replay/replay-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Asks for a replay of the policy's draft, or of its published text where it has none; or cancels one. */
export async function replayAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string };
  context: Readonly<RouterContextProvider>;
}) {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'seeAllRuns')) throw data({ code: 'forbidden' }, { status: 403 });
  const policy = await read((db) => readPolicy(db, params.policy));
  if (policy === null) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, replaySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { intent, days, replay } = parsed.value;
  const page = href('/dashboard/policies/:policy/replay', { policy: policy.id });
  try {
    if (intent === 'cancel') {
      await performAsMember(context, cancelReplay, { replay, name: policy.name });
      return redirectWithNotice(page, 'replayCancelled');
    }
    const text = policyText(policy.draft ?? policy.document) ?? '';
    if (readPolicyText(text).issues.length > 0) return invalidForm(parsed.reply, { formErrors: ['replayInvalid'] });
    const id = context.get(servicesContext).newId();
    const asked = { id, policy: policy.id, name: policy.name, text, isDraft: policy.draft !== null, days: Number(days) };
    await performAsMember(context, startReplay, asked);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(page, 'replayStarted', { kind: 'info' });
}
