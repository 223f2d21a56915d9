import { type ActionFunctionArgs, data } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { beyondPlan, PLAN_NAMES, type Plan, planInForce } from '#app/domain/plans.ts';
import { readUsage } from '#app/engine/plans/read-usage.ts';
import { holdPlan } from '#app/engine/plans/require-room.ts';
import { createTestProvider } from '#app/engine/plans/test-provider.ts';
import { changePlanSchema } from '#app/features/admin/change-plan-schema.ts';
import { readPlan } from '#app/features/admin/load-billing.server.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { servicesContext } from '#app/request-context.ts';

/** Changes the plan, or refuses with what is too much for the new one. The provider is asked before the transaction, never in it. */
export async function changePlan({ request, params, context }: ActionFunctionArgs) {
  const { member, read, change } = requirePermission(context, 'manageMembers');
  const to = PLAN_NAMES.find((name) => name === params.plan);
  if (to === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, changePlanSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { newId, now } = context.get(servicesContext);
  const { id } = member.workspace;
  const before = await read((db) => readPlan(db, id));
  const from = planInForce(before, now());
  const provider = createTestProvider(newId, parsed.value.answer);
  const agreed = await provider.agree({ workspaceId: id, from, to });
  if (agreed === 'declined') return invalidForm(parsed.reply, { formErrors: ['paymentDeclined'] }, 402);
  try {
    await change(async (db) => {
      await holdPlan(db, id);
      const held = await db
        .selectFrom('quorate.workspaces')
        .select(['plan', 'trial_ends_at', 'name'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (held.plan === to && held.trial_ends_at === null) throw new AppError('conflict');
      const beyond = beyondPlan(await readUsage(db, id, now()), to);
      if (beyond.length > 0) throw new TooMuchUsed(beyond);
      await db.updateTable('quorate.workspaces').set({ plan: to, trial_ends_at: null }).where('id', '=', id).execute();
      return {
        result: null,
        event: {
          action: 'workspace.planChanged',
          resource: { kind: 'workspace', id, name: held.name },
          payload: { from, to, provider: provider.name, reference: agreed.reference },
        },
      };
    });
  } catch (error) {
    if (error instanceof TooMuchUsed)
      return invalidForm(
        parsed.reply,
        { formErrors: error.beyond.map(({ measure, used, limit }) => message(SENTENCES[measure], { used, limit })) },
        409,
      );
    if (error instanceof AppError && error.code === 'conflict') return invalidForm(parsed.reply, { formErrors: ['planAlready'] }, 409);
    throw error;
  }
  return redirectWithNotice('/dashboard/admin/billing', NOTICES[to]);
}

const NOTICES = { starter: 'planStarter', professional: 'planProfessional', enterprise: 'planEnterprise' } as const satisfies Record<
  Plan,
  string
>;
const SENTENCES = { agents: 'agentsBeyondPlan', workflows: 'workflowsBeyondPlan' } as const;

class TooMuchUsed extends Error {
  readonly beyond: ReturnType<typeof beyondPlan>;
  constructor(beyond: ReturnType<typeof beyondPlan>) {
    super('more is used than the plan holds');
    this.beyond = beyond;
  }
}
