import { DeleteGatewayPage } from '#app/features/connections/gateways/delete-pages.tsx';
import { loadGatewayDeletion } from '#app/features/connections/gateways/load-gateway.server.ts';
import { deleteGatewayAction } from '#app/features/connections/gateways/save-gateway.server.ts';
import type { Route } from './+types/delete';

export const handle = { i18n: ['gateways'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadGatewayDeletion({ params, context });
}

export function action({ params, context }: Route.ActionArgs) {
  return deleteGatewayAction({ params, context });
}

export default function DeleteGateway({ loaderData }: Route.ComponentProps) {
  return <DeleteGatewayPage gateway={loaderData} />;
}
