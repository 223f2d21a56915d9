import { exportOwnData } from '#app/features/account/data/export-data.server.ts';
import type { Route } from './+types/export';

export function loader(args: Route.LoaderArgs) {
  return exportOwnData(args);
}
