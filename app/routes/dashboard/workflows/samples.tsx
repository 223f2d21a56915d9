import { loadSamplesScreen } from '#app/features/workflows/editor/load-samples.server.ts';
import { changeSamplesAction } from '#app/features/workflows/editor/samples-action.server.ts';
import { SamplesScreen } from '#app/features/workflows/editor/samples-screen.tsx';
import type { Route } from './+types/samples';

export const handle = { i18n: ['workflows', 'inputs', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadSamplesScreen(context, params.workflow, url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return changeSamplesAction({ request, params, context });
}

export default function WorkflowSamplesRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SamplesScreen {...loaderData} lastResult={actionData} />;
}
