import { GatewayPage } from '#app/features/connections/gateways/gateway-page.tsx';
import { loadGateway } from '#app/features/connections/gateways/load-gateway.server.ts';
import { gatewayAction } from '#app/features/connections/gateways/save-gateway.server.ts';
import type { Route } from './+types/gateway';

export const handle = { i18n: ['gateways', 'members'] };

export function loader({ params, context, url }: Route.LoaderArgs) {
  return loadGateway({ params, context, url });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return gatewayAction({ request, params, context });
}

export default function Gateway({ loaderData, actionData }: Route.ComponentProps) {
  return <GatewayPage loaded={loaderData} lastResult={actionData} />;
}
