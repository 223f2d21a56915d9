import { saveInputFieldsAction } from '#app/features/workflows/editor/document-actions.server.ts';
import { loadDraftScreen } from '#app/features/workflows/load-screens.server.ts';
import { InputFieldsScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/input';

export const handle = { i18n: ['workflows', 'inputs', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadDraftScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return saveInputFieldsAction({ request, params, context });
}

export default function WorkflowInputRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <InputFieldsScreen draft={loaderData.draft} lastResult={actionData} />;
}
