import { loadNewGateway } from '#app/features/connections/gateways/load-gateways.server.ts';
import { NewGatewayPage } from '#app/features/connections/gateways/new-gateway-page.tsx';
import { newGatewayAction } from '#app/features/connections/gateways/save-gateway.server.ts';
import type { Route } from './+types/new';

export const handle = { i18n: ['gateways', 'members'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNewGateway({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return newGatewayAction({ request, context });
}

export default function NewGateway({ loaderData, actionData }: Route.ComponentProps) {
  return <NewGatewayPage view={loaderData} lastResult={actionData} />;
}
