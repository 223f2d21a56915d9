import { controlChangeAction } from '#app/features/control/control-change-action.server.ts';
import { ControlChangePage } from '#app/features/control/control-change-page.tsx';
import { loadControlChange } from '#app/features/control/load-control-change.server.ts';
import type { Route } from './+types/change';

export const handle = { i18n: ['control', 'members', 'approvals', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadControlChange({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return controlChangeAction({ request, params, context });
}

export default function ControlChange({ loaderData, actionData }: Route.ComponentProps) {
  return <ControlChangePage change={loaderData} lastResult={actionData} />;
}
