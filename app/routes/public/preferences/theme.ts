import { redirect } from 'react-router';
import { chooseTheme } from '#app/features/shell/preferences.server.ts';
import type { Route } from './+types/theme';

export function loader() {
  return redirect('/');
}

export function action({ request }: Route.ActionArgs) {
  return chooseTheme(request);
}
