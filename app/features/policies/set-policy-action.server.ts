import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { enforcePolicy } from '#app/engine/commands/policies/enforce-policy.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const intentSchema = z.enum(['pause', 'activate']);

/** Pauses or activates a published policy. */
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
  const intent = intentSchema.safeParse((await request.formData()).get('intent'));
  if (!intent.success) throw data({ code: 'invalid_input' }, { status: 400 });
  if (!z.uuid().safeParse(params.policy).success) throw data({ code: 'not_found' }, { status: 404 });
  const inForce = intent.data === 'activate';
  const page = href('/dashboard/policies/:policy', { policy: params.policy });
  try {
    await performAsMember(context, enforcePolicy, { policy: params.policy, inForce });
  } catch (error) {
    // someone was quicker with the same: the page shows the result
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(page, 'policyChangedMeanwhile', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(page, inForce ? 'policyActivated' : 'policyPaused');
}
