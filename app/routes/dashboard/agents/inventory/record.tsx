import { loadRecord } from '#app/features/agents/inventory/load-record.server.ts';
import { recordAgentAction } from '#app/features/agents/inventory/record-action.server.ts';
import { RecordPage } from '#app/features/agents/inventory/record-page.tsx';
import type { Route } from './+types/record';

export const handle = { i18n: ['inventory', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadRecord(context, params.agent);
}

export function action(args: Route.ActionArgs) {
  return recordAgentAction(args);
}

export default function InventoryRecord({ loaderData, actionData }: Route.ComponentProps) {
  return <RecordPage agent={loaderData} lastResult={actionData} />;
}
