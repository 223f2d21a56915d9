import { IncidentList } from '#app/features/incidents/incident-list.tsx';
import { loadIncidents } from '#app/features/incidents/load-incidents.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['incidents'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadIncidents({ context, url });
}

export default function Incidents({ loaderData }: Route.ComponentProps) {
  return <IncidentList {...loaderData} />;
}
