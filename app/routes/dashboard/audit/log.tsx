import { AuditLog } from '#app/features/audit/audit-log.tsx';
import { changeAuditViews } from '#app/features/audit/audit-views.server.ts';
import { loadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import type { Route } from './+types/log';

export const handle = { i18n: ['audit', 'actions', 'validation'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadAuditLog({ url, context });
}

export function action(args: Route.ActionArgs) {
  return changeAuditViews(args);
}

export default function Log({ loaderData, actionData }: Route.ComponentProps) {
  return <AuditLog {...loaderData} refused={actionData} />;
}
