import { downloadWorkflow } from '#app/features/workflows/import/download-workflow.server.ts';
import type { Route } from './+types/file';

export function loader({ context, params, url }: Route.LoaderArgs) {
  return downloadWorkflow(context, params.workflow, url);
}
