import { listApprovalsApi } from '#app/features/api/approvals-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/approvals';

export const middleware: Route.MiddlewareFunction[] = [requireKey('approvals:read')];

export function loader({ url, context }: Route.LoaderArgs) {
  return listApprovalsApi({ url, context });
}
