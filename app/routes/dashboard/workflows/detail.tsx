import { workflowCommandAction } from '#app/features/workflows/artifact-actions.server.ts';
import { loadDetailScreen } from '#app/features/workflows/load-screens.server.ts';
import { WorkflowDetailView } from '#app/features/workflows/workflow-detail.tsx';
import type { Route } from './+types/detail';

export const handle = { i18n: ['workflows', 'flow'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadDetailScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return workflowCommandAction({ request, params, context });
}

export default function WorkflowDetailRoute({ loaderData }: Route.ComponentProps) {
  return <WorkflowDetailView {...loaderData} />;
}
