import { createWorkflowApi } from '#app/features/api/drafts-api.server.ts';
import { listWorkflowsApi } from '#app/features/api/workflows-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/workflows';

export const middleware: Route.MiddlewareFunction[] = [requireKey('workflows:read', 'workflows:write')];

export function loader({ url, context }: Route.LoaderArgs) {
  return listWorkflowsApi({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return createWorkflowApi({ request, context });
}
