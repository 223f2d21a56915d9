import { RemoveToolPage } from '#app/features/connections/gateways/delete-pages.tsx';
import { loadToolRemoval, removeToolAction } from '#app/features/connections/gateways/gateway-tools.server.ts';
import type { Route } from './+types/remove-tool';

export const handle = { i18n: ['gateways'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadToolRemoval({ params, context });
}

export function action({ params, context }: Route.ActionArgs) {
  return removeToolAction({ params, context });
}

export default function RemoveGatewayTool({ loaderData }: Route.ComponentProps) {
  return <RemoveToolPage {...loaderData} />;
}
