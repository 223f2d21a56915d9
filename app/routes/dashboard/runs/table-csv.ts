import { downloadRuns } from '#app/features/runs/list/download-runs.server.ts';
import type { Route } from './+types/table-csv';

export function loader({ url, context }: Route.LoaderArgs) {
  return downloadRuns(context, url);
}
