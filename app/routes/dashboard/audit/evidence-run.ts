import { downloadRunEvidence } from '#app/features/audit/download-evidence.server.ts';
import type { Route } from './+types/evidence-run';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadRunEvidence({ params, context });
}
