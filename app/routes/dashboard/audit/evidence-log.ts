import { downloadLogEvidence } from '#app/features/audit/download-evidence.server.ts';
import type { Route } from './+types/evidence-log';

export function loader({ url, context }: Route.LoaderArgs) {
  return downloadLogEvidence({ url, context });
}
