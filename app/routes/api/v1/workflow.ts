import { readWorkflowApi } from '#app/features/api/workflows-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/workflow';

export const middleware: Route.MiddlewareFunction[] = [requireKey('workflows:read')];

export function loader({ url, params, context }: Route.LoaderArgs) {
  return readWorkflowApi({ url, params, context });
}
