import { type ActionFunctionArgs, data, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Plan } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { PLAN_NAMES, planInForce } from '#app/domain/people/plans.ts';
import { changePlan } from '#app/engine/commands/workspaces/change-plan.ts';
import { createTestProvider } from '#app/engine/plans/test-provider.ts';
import { changePlanSchema } from '#app/features/admin/billing/change-plan-schema.ts';
import { readPlan } from '#app/features/admin/billing/load-billing.server.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const NOTICES = { starter: 'planStarter', professional: 'planProfessional', enterprise: 'planEnterprise' } as const satisfies Record<
  Plan,
  string
>;

/** Changes the plan, or refuses with what is too much for the new one. The provider is asked before the transaction, never in it. */
export async function changePlanAction({ request, params, context }: ActionFunctionArgs) {
  const { member, read } = requirePermission(context, 'manageMembers');
  const to = PLAN_NAMES.find((name) => name === params.plan);
  if (to === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, changePlanSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { newId, now } = context.get(servicesContext);
  const { id } = member.workspace;
  const from = planInForce(await read((db) => readPlan(db, id)), now());
  const provider = createTestProvider(newId, parsed.value.answer);
  const agreed = await provider.agree({ workspaceId: id, from, to });
  if (agreed === 'declined') return invalidForm(parsed.reply, { formErrors: ['paymentDeclined'] }, 402);
  try {
    await performAsMember(context, changePlan, { from, to, provider: provider.name, reference: agreed.reference });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/admin/billing'), NOTICES[to]);
}
