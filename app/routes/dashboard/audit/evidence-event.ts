import { downloadEventEvidence } from '#app/features/audit/download-evidence.server.ts';
import type { Route } from './+types/evidence-event';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadEventEvidence({ params, context });
}
