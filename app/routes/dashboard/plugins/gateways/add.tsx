import { AddToolsPage } from '#app/features/connections/gateways/add-tools-page.tsx';
import { addToolsAction, loadOfferedTools } from '#app/features/connections/gateways/gateway-tools.server.ts';
import type { Route } from './+types/add';

export const handle = { i18n: ['gateways', 'connections'] };

export function loader({ params, context, url }: Route.LoaderArgs) {
  return loadOfferedTools({ params, context, url });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return addToolsAction({ request, params, context });
}

export default function AddGatewayTools({ loaderData, actionData }: Route.ComponentProps) {
  return <AddToolsPage loaded={loaderData} answer={actionData} />;
}
