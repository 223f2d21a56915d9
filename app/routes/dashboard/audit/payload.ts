import { downloadPayload } from '#app/features/audit/load-audit-event.server.ts';
import type { Route } from './+types/payload';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadPayload({ params, context });
}
