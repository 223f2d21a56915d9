import { connectLocalAction, loadLocalServers } from '#app/features/connections/connect/connect-local-action.server.ts';
import { ConnectLocalForm } from '#app/features/connections/connect/connect-local-form.tsx';
import type { Route } from './+types/local';

export const handle = { i18n: ['connections'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadLocalServers({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return connectLocalAction({ request, context });
}

export default function LocalPlugin({ loaderData, actionData }: Route.ComponentProps) {
  return <ConnectLocalForm servers={loaderData.servers} lastResult={actionData} />;
}
