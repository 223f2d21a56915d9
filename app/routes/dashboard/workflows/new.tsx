import { CreateWorkflowScreen } from '#app/features/workflows/list/create-and-delete-screens.tsx';
import { createWorkflowAction } from '#app/features/workflows/list/create-workflow-action.server.ts';
import { loadCreateScreen } from '#app/features/workflows/load-screens.server.ts';
import type { Route } from './+types/new';

export const handle = { i18n: ['workflows'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadCreateScreen(context, url);
}

export function action({ request, context }: Route.ActionArgs) {
  return createWorkflowAction({ request, context });
}

export default function WorkflowNewRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <CreateWorkflowScreen {...loaderData} lastResult={actionData} />;
}
