import { downloadTable } from '#app/features/analytics/download-table.server.ts';
import type { Route } from './+types/table-csv';

export function loader({ url, context }: Route.LoaderArgs) {
  return downloadTable({ url, context });
}
