import { connectionCommandAction } from '#app/features/connections/connection-command-action.server.ts';
import { ConnectionPage } from '#app/features/connections/connection-page.tsx';
import { loadConnection } from '#app/features/connections/load-connection.server.ts';
import type { Route } from './+types/connection';

export const handle = { i18n: ['connections', 'control', 'explanations'] };

export function loader({ params, context, url }: Route.LoaderArgs) {
  return loadConnection({ params, context, url, kind: 'model' });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return connectionCommandAction({ request, params, context, kind: 'model' });
}

export default function ModelConnection({ loaderData, actionData }: Route.ComponentProps) {
  return <ConnectionPage connection={loaderData} refused={actionData} />;
}
