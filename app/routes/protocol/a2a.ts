import { requireServedKey } from '#app/features/auth/session/require-key.server.ts';
import { serveAgent } from '#app/features/serving/serve-a2a.server.ts';
import type { Route } from './+types/a2a';

export const middleware: Route.MiddlewareFunction[] = [requireServedKey()];

export function loader({ request, params, context }: Route.LoaderArgs) {
  return serveAgent({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return serveAgent({ request, params, context });
}
