import { importWorkflowAction } from '#app/features/workflows/import/import-action.server.ts';
import { ImportScreen } from '#app/features/workflows/import/import-screen.tsx';
import { loadCreateScreen } from '#app/features/workflows/load-screens.server.ts';
import type { Route } from './+types/import';

export const handle = { i18n: ['workflows', 'flow', 'inputs', 'validation'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadCreateScreen(context, url);
}

export function action({ request, context }: Route.ActionArgs) {
  return importWorkflowAction({ request, context });
}

export default function WorkflowImportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportScreen full={loaderData.full} answer={actionData} />;
}
