import { href, redirect } from 'react-router';
import { chooseLanguage } from '#app/features/shell/preferences.server.ts';
import type { Route } from './+types/language';

export function loader() {
  return redirect(href('/'));
}

export function action({ request }: Route.ActionArgs) {
  return chooseLanguage(request);
}
