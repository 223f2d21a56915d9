import { href, redirect } from 'react-router';
import { chooseAppearance } from '#app/features/appearance/choose-appearance-action.server.ts';
import type { Route } from './+types/appearance';

export function loader() {
  return redirect(href('/'));
}

export function action(args: Route.ActionArgs) {
  return chooseAppearance(args);
}
