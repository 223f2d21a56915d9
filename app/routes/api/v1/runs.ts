import { listRunsApi, startRunApi } from '#app/features/api/runs-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/runs';

export const middleware: Route.MiddlewareFunction[] = [requireKey('runs:read', 'runs:start')];

export function loader({ url, context }: Route.LoaderArgs) {
  return listRunsApi({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return startRunApi({ request, context });
}
