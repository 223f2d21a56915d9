import { IncidentActPage } from '#app/features/incidents/incident-act-page.tsx';
import { incidentAction, requireAct } from '#app/features/incidents/incident-action.server.ts';
import { loadIncident } from '#app/features/incidents/load-incident.server.ts';
import type { Route } from './+types/act';

export const handle = { i18n: ['incidents', 'inputs', 'validation'] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const act = requireAct(context, params.act);
  return { act, incident: await loadIncident(context, params.incident), report: url.searchParams.get('report') };
}

export function action({ request, context, params }: Route.ActionArgs) {
  return incidentAction({ request, context, params });
}

export default function IncidentActRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <IncidentActPage {...loaderData} lastResult={actionData} />;
}
