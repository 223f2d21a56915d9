import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { setPolicyInForce } from '#app/engine/policy/author-policy.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

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
  const page = `/dashboard/policies/${params.policy}`;
  const now = context.get(servicesContext).now();
  try {
    await context.get(memberContext).change(async (db) => {
      const { name } = await setPolicyInForce(db, { id: params.policy, inForce, now });
      return {
        result: null,
        event: { action: inForce ? 'policy.activated' : 'policy.paused', resource: { kind: 'policy', id: params.policy, name } },
      };
    });
  } catch (error) {
    // somebody was quicker with the same: the page shows how it stands
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(page, 'policyChangedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'not_found') throw data({ code: error.code }, { status: error.status });
    throw error;
  }
  return redirectWithNotice(page, inForce ? 'policyActivated' : 'policyPaused');
}
