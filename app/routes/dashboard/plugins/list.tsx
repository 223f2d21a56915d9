import { addBuiltinAction } from '#app/features/connections/connect/add-builtin-action.server.ts';
import { ConnectionList } from '#app/features/connections/connection-list.tsx';
import { loadConnectionList } from '#app/features/connections/load-connection-list.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['connections'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadConnectionList({ context, url, kind: 'mcp' });
}

export function action({ request, context }: Route.ActionArgs) {
  return addBuiltinAction({ request, context, kind: 'mcp' });
}

export default function Plugins({ loaderData }: Route.ComponentProps) {
  return <ConnectionList loaded={loaderData} />;
}
