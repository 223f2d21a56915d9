import { listAuditApi } from '#app/features/api/audit-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/audit';

export const middleware: Route.MiddlewareFunction[] = [requireKey('audit:read')];

export function loader({ url, context }: Route.LoaderArgs) {
  return listAuditApi({ url, context });
}
