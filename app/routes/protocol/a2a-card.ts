import { requireServedKey } from '#app/features/auth/session/require-key.server.ts';
import { loadAgentCard } from '#app/features/serving/serve-a2a.server.ts';
import type { Route } from './+types/a2a-card';

export const middleware: Route.MiddlewareFunction[] = [requireServedKey()];

export function loader({ request, params, context }: Route.LoaderArgs) {
  return loadAgentCard({ request, params, context });
}
