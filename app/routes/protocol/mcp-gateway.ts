import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import { serveMcpGateway } from '#app/features/serving/serve-mcp.server.ts';
import type { Route } from './+types/mcp-gateway';

export const middleware: Route.MiddlewareFunction[] = [requireKey('runs:start')];

export function loader({ request, params, context }: Route.LoaderArgs) {
  return serveMcpGateway({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return serveMcpGateway({ request, params, context });
}
