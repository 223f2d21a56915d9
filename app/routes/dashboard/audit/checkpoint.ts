import { downloadCheckpoint } from '#app/features/audit/download-evidence.server.ts';
import type { Route } from './+types/checkpoint';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadCheckpoint({ params, context });
}
