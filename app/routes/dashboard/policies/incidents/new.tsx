import { recordIncidentAction } from '#app/features/incidents/incident-action.server.ts';
import { loadIncidentForm } from '#app/features/incidents/load-incident.server.ts';
import { RecordIncidentForm } from '#app/features/incidents/record-incident-form.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['incidents', 'inputs', 'validation'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadIncidentForm({ context, url });
}

export function action({ request, context }: Route.ActionArgs) {
  return recordIncidentAction({ request, context });
}

export default function NewIncident({ loaderData, actionData }: Route.ComponentProps) {
  return <RecordIncidentForm loaded={loaderData} lastResult={actionData} />;
}
