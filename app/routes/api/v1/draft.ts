import { changeDraftApi, readDraftApi } from '#app/features/api/drafts-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/draft';

export const middleware: Route.MiddlewareFunction[] = [requireKey('workflows:read', 'workflows:write')];

export function loader({ url, params, context }: Route.LoaderArgs) {
  return readDraftApi({ url, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return changeDraftApi({ request, params, context });
}
