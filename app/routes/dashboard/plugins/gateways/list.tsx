import { GatewayList } from '#app/features/connections/gateways/gateway-list.tsx';
import { loadGateways } from '#app/features/connections/gateways/load-gateways.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['gateways', 'members'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadGateways({ context });
}

export default function Gateways({ loaderData }: Route.ComponentProps) {
  return <GatewayList {...loaderData} />;
}
