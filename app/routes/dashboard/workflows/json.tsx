import { saveDocumentJsonAction } from '#app/features/workflows/editor/document-actions.server.ts';
import { loadJsonScreen } from '#app/features/workflows/load-screens.server.ts';
import { DocumentJsonScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/json';

export const handle = { i18n: ['workflows', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadJsonScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return saveDocumentJsonAction({ request, params, context });
}

export default function WorkflowJsonRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DocumentJsonScreen draft={loaderData.draft} lastResult={actionData?.form} issues={actionData?.issues ?? []} />;
}
