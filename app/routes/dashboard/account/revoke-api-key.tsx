import { loadApiKey } from '#app/features/account/keys/load-api-keys.server.ts';
import { revokeApiKeyAction } from '#app/features/account/keys/revoke-api-key-action.server.ts';
import { RevokeApiKeyPage } from '#app/features/account/keys/revoke-api-key-page.tsx';
import type { Route } from './+types/revoke-api-key';

export const handle = { i18n: ['account'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadApiKey(context, params.key);
}

export function action(args: Route.ActionArgs) {
  return revokeApiKeyAction(args);
}

export default function RevokeApiKey({ loaderData }: Route.ComponentProps) {
  return <RevokeApiKeyPage apiKey={loaderData} />;
}
