import { gatewayToolAction, loadGatewayTool } from '#app/features/connections/gateways/gateway-tools.server.ts';
import { GatewayToolPage } from '#app/features/connections/gateways/tool-page.tsx';
import type { Route } from './+types/tool';

export const handle = { i18n: ['gateways'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadGatewayTool({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return gatewayToolAction({ request, params, context });
}

export default function GatewayTool({ loaderData, actionData }: Route.ComponentProps) {
  return <GatewayToolPage loaded={loaderData} lastResult={actionData} />;
}
