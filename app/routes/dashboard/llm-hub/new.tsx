import { connectServiceAction, loadConnectService } from '#app/features/connections/connect/connect-service-action.server.ts';
import { ConnectServiceForm } from '#app/features/connections/connect/connect-service-form.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['connections'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadConnectService({ context, kind: 'model' });
}

export function action({ request, context }: Route.ActionArgs) {
  return connectServiceAction({ request, context, kind: 'model' });
}

export default function NewModelConnection({ loaderData, actionData }: Route.ComponentProps) {
  return <ConnectServiceForm kind={loaderData.kind} lastResult={actionData} />;
}
