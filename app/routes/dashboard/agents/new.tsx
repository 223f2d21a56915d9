import { connectAction, loadConnectAgent } from '#app/features/connections/connect/connect-action.server.ts';
import { ConnectForm } from '#app/features/connections/connect/connect-form.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['connections'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadConnectAgent({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return connectAction({ request, context, kind: 'a2a' });
}

export default function NewAgent({ loaderData, actionData }: Route.ComponentProps) {
  return <ConnectForm {...loaderData} lastResult={actionData} />;
}
