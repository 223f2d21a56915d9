import { authorizeAction } from '#app/features/account/authorize/authorize-action.server.ts';
import { AuthorizePage } from '#app/features/account/authorize/authorize-page.tsx';
import { loadAuthorize } from '#app/features/account/authorize/load-authorize.server.ts';
import type { Route } from './+types/authorize';

export const handle = { i18n: ['account', 'validation'] };

export function loader(args: Route.LoaderArgs) {
  return loadAuthorize(args);
}

export function action(args: Route.ActionArgs) {
  return authorizeAction(args);
}

export default function Authorize({ loaderData, actionData }: Route.ComponentProps) {
  return <AuthorizePage view={loaderData} answer={actionData} />;
}
