import { href, redirect } from 'react-router';
import { chooseConsent } from '#app/features/public/contact/consent-action.server.ts';
import type { Route } from './+types/consent';

export function loader() {
  return redirect(href('/'));
}

export function action({ request }: Route.ActionArgs) {
  return chooseConsent(request);
}
