import { connectAction, loadConnectTool } from '#app/features/connections/connect/connect-action.server.ts';
import { ConnectForm } from '#app/features/connections/connect/connect-form.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['connections'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadConnectTool({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return connectAction({ request, context, kind: 'mcp' });
}

export default function NewPlugin({ loaderData, actionData }: Route.ComponentProps) {
  return <ConnectForm kind={loaderData.kind} local={loaderData.local} returnAddress={loaderData.returnAddress} lastResult={actionData} />;
}
