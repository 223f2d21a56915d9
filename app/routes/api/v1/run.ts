import { readRunApi } from '#app/features/api/runs-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/run';

export const middleware: Route.MiddlewareFunction[] = [requireKey('runs:read')];

export function loader({ url, params, context }: Route.LoaderArgs) {
  return readRunApi({ url, params, context });
}
