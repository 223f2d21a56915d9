import { AuditEventPage } from '#app/features/audit/audit-event-page.tsx';
import { loadAuditEvent } from '#app/features/audit/load-audit-event.server.ts';
import type { Route } from './+types/event';

export const handle = { i18n: ['audit', 'actions', 'explanations'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAuditEvent({ params, context });
}

export default function Event({ loaderData }: Route.ComponentProps) {
  return <AuditEventPage event={loaderData} />;
}
