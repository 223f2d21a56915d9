import { loadEditorScreen } from '#app/features/workflows/load-screens.server.ts';
import { publishAction } from '#app/features/workflows/publish-action.server.ts';
import { EditorScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/publish';

export const handle = { i18n: ['workflows', 'flow', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadEditorScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return publishAction({ request, params, context });
}

/** Reached when publishing was refused: the editor, with every place named. */
export default function WorkflowPublishRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <EditorScreen {...loaderData} issues={actionData?.issues ?? loaderData.issues} refused={actionData !== undefined} />;
}
