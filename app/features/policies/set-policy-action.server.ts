import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { enforcePolicy } from '#app/engine/commands/policies/enforce-policy.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { setPolicySchema } from '#app/features/policies/policy-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Pauses or activates a published policy, or asks another person to agree to that. */
export async function setPolicyAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string };
  context: Readonly<RouterContextProvider>;
}) {
  requirePolicyAuthor({ context });
  if (!z.uuid().safeParse(params.policy).success) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, setPolicySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const inForce = parsed.value.intent === 'activate';
  const page = href('/dashboard/policies/:policy', { policy: params.policy });
  try {
    const outcome = await performAsMember(context, enforcePolicy, { policy: params.policy, inForce, reason: parsed.value.reason });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (error instanceof Refusal) return refusedForm(parsed.reply, error);
    // someone was quicker with the same: the page shows the result
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(page, 'policyChangedMeanwhile', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(page, inForce ? 'policyActivated' : 'policyPaused');
}
