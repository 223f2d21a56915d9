import { AuditLog } from '#app/features/audit/audit-log.tsx';
import { loadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import type { Route } from './+types/log';

export const handle = { i18n: ['audit'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadAuditLog({ url, context });
}

export default function Log({ loaderData }: Route.ComponentProps) {
  return <AuditLog {...loaderData} />;
}
