import { disconnectAction, loadDisconnect } from '#app/features/connections/disconnect-action.server.ts';
import { DisconnectPage } from '#app/features/connections/disconnect-page.tsx';
import type { Route } from './+types/disconnect';

export const handle = { i18n: ['connections'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadDisconnect({ params, context, kind: 'model' });
}

export function action({ params, context }: Route.ActionArgs) {
  return disconnectAction({ params, context, kind: 'model' });
}

export default function DisconnectModel({ loaderData }: Route.ComponentProps) {
  return <DisconnectPage connection={loaderData} />;
}
