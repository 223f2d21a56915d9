import { loadAddStep } from '#app/features/workflows/editor/load-add-step.server.ts';
import { AddStepScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/add-step';

export const handle = { i18n: ['workflows', 'flow', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadAddStep({ context, params, url });
}

export default function WorkflowAddStepRoute({ loaderData }: Route.ComponentProps) {
  return <AddStepScreen {...loaderData} />;
}
