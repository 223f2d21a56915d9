import { href, redirect } from 'react-router';
import { switchWorkspace } from '#app/features/account/switch-workspace-action.server.ts';
import type { Route } from './+types/workspace';

export function loader() {
  return redirect(href('/dashboard/account'));
}

export function action(args: Route.ActionArgs) {
  return switchWorkspace(args);
}
