import { loadToken } from '#app/features/provisioning/load-provisioning.server.ts';
import { revokeTokenAction } from '#app/features/provisioning/token-actions.server.ts';
import { RevokeTokenPage } from '#app/features/provisioning/token-pages.tsx';
import type { Route } from './+types/revoke-token';

export const handle = { i18n: ['provisioning', 'admin'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadToken(context, params.token);
}

export function action(args: Route.ActionArgs) {
  return revokeTokenAction(args);
}

export default function RevokeToken({ loaderData }: Route.ComponentProps) {
  return <RevokeTokenPage token={loaderData} />;
}
