import { loadStartScreen } from '#app/features/runs/load-screens.server.ts';
import { startRunAction } from '#app/features/runs/start-run-action.server.ts';
import { StartRunScreen } from '#app/features/runs/start-run-screen.tsx';
import type { Route } from './+types/run';

export const handle = { i18n: ['runs', 'inputs', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadStartScreen(context, params.workflow, url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return startRunAction({ request, params, context });
}

export default function WorkflowRunRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <StartRunScreen start={loaderData} lastResult={actionData} />;
}
