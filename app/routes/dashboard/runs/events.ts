import { runEvents } from '#app/features/runs/run-events.server.ts';
import type { Route } from './+types/events';

export function loader({ request, params, context }: Route.LoaderArgs) {
  return runEvents({ request, params, context });
}
