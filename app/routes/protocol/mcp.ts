import { requireServedKey } from '#app/features/auth/session/require-key.server.ts';
import { serveMcp } from '#app/features/serving/serve-mcp.server.ts';
import type { Route } from './+types/mcp';

export const middleware: Route.MiddlewareFunction[] = [requireServedKey()];

export function loader({ request, params, context }: Route.LoaderArgs) {
  return serveMcp({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return serveMcp({ request, params, context });
}
