import { href, redirect } from 'react-router';
import { assignAction } from '#app/features/approvals/work/assign-action.server.ts';
import type { Route } from './+types/assign';

export function loader({ params }: Route.LoaderArgs) {
  return redirect(href('/dashboard/approvals/:approval', params));
}

export function action({ request, params, context }: Route.ActionArgs) {
  return assignAction({ request, params, context });
}
