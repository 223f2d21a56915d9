import { IncidentPage } from '#app/features/incidents/incident-page.tsx';
import { loadIncident } from '#app/features/incidents/load-incident.server.ts';
import type { Route } from './+types/incident';

export const handle = { i18n: ['incidents', 'compliance'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadIncident(context, params.incident);
}

export default function Incident({ loaderData }: Route.ComponentProps) {
  return <IncidentPage incident={loaderData} />;
}
