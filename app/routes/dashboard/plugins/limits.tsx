import { limitsAction, loadLimits } from '#app/features/connections/limits-action.server.ts';
import { LimitsForm } from '#app/features/connections/limits-form.tsx';
import type { Route } from './+types/limits';

export const handle = { i18n: ['connections'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadLimits({ params, context, kind: 'mcp' });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return limitsAction({ request, params, context, kind: 'mcp' });
}

export default function LimitPlugin({ loaderData, actionData }: Route.ComponentProps) {
  return <LimitsForm connection={loaderData} lastResult={actionData} />;
}
