import { href, redirect } from 'react-router';
import { forgetScripts } from '#app/features/shell/preferences.server.ts';
import type { Route } from './+types/scripts';

export function loader() {
  return redirect(href('/'));
}

export function action({ request }: Route.ActionArgs) {
  return forgetScripts(request);
}
