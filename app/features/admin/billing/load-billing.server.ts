import { data, type RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Plan } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { beyondPlan, PLAN_NAMES, planInForce } from '#app/domain/people/plans.ts';
import { readUsage } from '#app/engine/plans/read-usage.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

/** The plan in force, what of it is used, and what each other plan would take. */
export async function loadBilling(context: Readonly<RouterContextProvider>) {
  const { member, read } = requirePermission(context, 'manageMembers');
  const now = context.get(servicesContext).now();
  return read(async (db) => {
    const workspace = await readPlan(db, member.workspace.id);
    const usage = await readUsage(db, member.workspace.id, now);
    const plan = planInForce(workspace, now);
    return {
      workspace: shownWorkspaceName(context),
      plan,
      trial:
        workspace.trial_ends_at === null ? null : { endsAt: workspace.trial_ends_at.toISOString(), over: workspace.trial_ends_at <= now },
      usage,
      month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString(),
      plans: PLAN_NAMES.map((name) => ({ name, beyond: beyondPlan(usage, name) })),
    };
  });
}
export type Billing = Awaited<ReturnType<typeof loadBilling>>;

/** The plan to confirm. 404 for an unknown plan, or for the present one unless it is a trial. */
export async function loadPlanChange(context: Readonly<RouterContextProvider>, name: string) {
  const billing = await loadBilling(context);
  const target = billing.plans.find((plan) => plan.name === name);
  if (target === undefined || isSettled(billing, target.name)) throw data({ code: 'not_found' }, { status: 404 });
  return { ...billing, target };
}
export type PlanChange = Awaited<ReturnType<typeof loadPlanChange>>;

/** Whether choosing this plan would change nothing. */
export function isSettled(billing: { plan: Plan; trial: { over: boolean } | null }, name: Plan): boolean {
  return billing.plan === name && billing.trial === null;
}

export function readPlan(db: Db, workspaceId: string) {
  return db
    .selectFrom('quorate.workspaces')
    .select(['plan', 'trial_ends_at', 'name'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
}
