import { readApprovalApi } from '#app/features/api/approvals-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/approval';

export const middleware: Route.MiddlewareFunction[] = [requireKey('approvals:read')];

export function loader({ url, params, context }: Route.LoaderArgs) {
  return readApprovalApi({ url, params, context });
}
