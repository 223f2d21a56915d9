import { href, redirect } from 'react-router';
import { watchAction } from '#app/features/notifications/watches/watch-action.server.ts';
import type { Route } from './+types/watch';

export function loader() {
  return redirect(href('/dashboard/notifications/preferences'));
}

export function action(args: Route.ActionArgs) {
  return watchAction(args);
}
