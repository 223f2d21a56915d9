import { changePlanAction } from '#app/features/admin/billing/change-plan-action.server.ts';
import { ChangePlanPage } from '#app/features/admin/billing/change-plan-page.tsx';
import { loadPlanChange } from '#app/features/admin/billing/load-billing.server.ts';
import type { Route } from './+types/change-plan';

export const handle = { i18n: ['admin', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadPlanChange(context, params.plan);
}

export function action(args: Route.ActionArgs) {
  return changePlanAction(args);
}

export default function ChangePlan({ loaderData, actionData }: Route.ComponentProps) {
  return <ChangePlanPage change={loaderData} lastResult={actionData} />;
}
