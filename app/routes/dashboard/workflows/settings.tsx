import { saveSettingsAction } from '#app/features/workflows/editor/document-actions.server.ts';
import { loadSettingsScreen } from '#app/features/workflows/load-screens.server.ts';
import { SettingsScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/settings';

export const handle = { i18n: ['workflows', 'inputs', 'validation', 'explanations'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadSettingsScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return saveSettingsAction({ request, params, context });
}

export default function WorkflowSettingsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SettingsScreen {...loaderData} answer={actionData} />;
}
