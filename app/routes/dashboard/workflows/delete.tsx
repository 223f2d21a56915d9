import { deleteWorkflowAction } from '#app/features/workflows/artifact-actions.server.ts';
import { DeleteWorkflowScreen } from '#app/features/workflows/list/create-and-delete-screens.tsx';
import { loadDraftScreen } from '#app/features/workflows/load-screens.server.ts';
import type { Route } from './+types/delete';

export const handle = { i18n: ['workflows'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadDraftScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return deleteWorkflowAction({ request, params, context });
}

export default function WorkflowDeleteRoute({ loaderData }: Route.ComponentProps) {
  return <DeleteWorkflowScreen workflow={loaderData.draft} />;
}
