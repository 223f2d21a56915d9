import { requireServedKey } from '#app/features/auth/session/require-key.server.ts';
import { serveAgentRest } from '#app/features/serving/serve-a2a.server.ts';
import type { Route } from './+types/a2a-rest';

export const middleware: Route.MiddlewareFunction[] = [requireServedKey()];

export function loader({ request, params, context }: Route.LoaderArgs) {
  return serveAgentRest({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return serveAgentRest({ request, params, context });
}
