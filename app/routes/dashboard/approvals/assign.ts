import { assignAction, toApproval } from '#app/features/approvals/work/assign-action.server.ts';
import type { Route } from './+types/assign';

export function loader({ params, context }: Route.LoaderArgs) {
  return toApproval({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return assignAction({ request, params, context });
}
