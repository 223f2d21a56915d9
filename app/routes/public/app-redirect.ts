import { href, redirect } from 'react-router';
import type { Route } from './+types/app-redirect';

export function loader({ url }: Route.LoaderArgs) {
  return redirect(handedOver(url.searchParams) ? `${href('/auth/confirm')}${url.search}` : href('/dashboard'));
}

/** A mailed link of the hosted service ends here with its code, or with why it has none. */
function handedOver(query: URLSearchParams): boolean {
  return query.has('code') || query.has('error') || query.has('error_code');
}
