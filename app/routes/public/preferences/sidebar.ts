import { href, redirect } from 'react-router';
import { chooseSidebar } from '#app/features/shell/preferences.server.ts';
import type { Route } from './+types/sidebar';

export function loader() {
  return redirect(href('/'));
}

export function action({ request }: Route.ActionArgs) {
  return chooseSidebar(request);
}
