import { loadListScreen } from '#app/features/workflows/list/load-list-screen.server.ts';
import { changeSeveralWorkflows } from '#app/features/workflows/list/several-workflows-action.server.ts';
import { WorkflowList } from '#app/features/workflows/list/workflow-list.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['workflows'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadListScreen(context, url);
}

export function action(args: Route.ActionArgs) {
  return changeSeveralWorkflows(args);
}

export default function WorkflowListRoute({ loaderData }: Route.ComponentProps) {
  return <WorkflowList {...loaderData} />;
}
