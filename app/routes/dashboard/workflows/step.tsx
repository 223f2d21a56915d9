import { changeStepAction } from '#app/features/workflows/editor/step-test-action.server.ts';
import { loadStepScreen } from '#app/features/workflows/load-screens.server.ts';
import { StepScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/step';

export const handle = { i18n: ['workflows', 'flow', 'inputs', 'validation', 'explanations'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadStepScreen(context, params.workflow, params['*'], url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return changeStepAction({ request, params, context });
}

export default function WorkflowStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <StepScreen {...loaderData} answer={actionData} />;
}
