import { loadSelectedKeys, revokeSeveralAction } from '#app/features/account/keys/revoke-several.server.ts';
import { RevokeSeveralPage } from '#app/features/account/keys/revoke-several-page.tsx';
import type { Route } from './+types/revoke-api-keys';

export const handle = { i18n: ['account'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadSelectedKeys(context, url);
}

export function action({ request, context }: Route.ActionArgs) {
  return revokeSeveralAction({ request, context });
}

export default function RevokeApiKeys({ loaderData }: Route.ComponentProps) {
  return <RevokeSeveralPage keys={loaderData} />;
}
