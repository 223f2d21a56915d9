import { ConnectionList } from '#app/features/connections/connection-list.tsx';
import { loadConnectionList } from '#app/features/connections/load-connection-list.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['connections'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadConnectionList({ context, url, kind: 'app' });
}

export default function IntegrationConnections({ loaderData }: Route.ComponentProps) {
  return <ConnectionList loaded={loaderData} />;
}
