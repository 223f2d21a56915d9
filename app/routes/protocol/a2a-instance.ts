import { requireServedKey } from '#app/features/auth/session/require-key.server.ts';
import { serveInstance } from '#app/features/serving/serve-a2a.server.ts';
import type { Route } from './+types/a2a-instance';

export const middleware: Route.MiddlewareFunction[] = [requireServedKey()];

export function loader({ request, context }: Route.LoaderArgs) {
  return serveInstance({ request, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return serveInstance({ request, context });
}
