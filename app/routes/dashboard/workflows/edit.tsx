import { editorAction } from '#app/features/workflows/editor/editor-action.server.ts';
import { loadEditorScreen } from '#app/features/workflows/load-screens.server.ts';
import { EditorScreen } from '#app/features/workflows/screens.tsx';
import type { Route } from './+types/edit';

export const handle = { i18n: ['workflows', 'flow', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadEditorScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return editorAction({ request, params, context });
}

export default function WorkflowEditRoute({ loaderData }: Route.ComponentProps) {
  return <EditorScreen {...loaderData} />;
}
