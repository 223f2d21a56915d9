import { loadRunAgent, runAgentAction } from '#app/features/agents/run-agent-action.server.ts';
import { RunAgentPage } from '#app/features/agents/run-agent-page.tsx';
import type { Route } from './+types/run';

export const handle = { i18n: ['agents'] };

export function loader({ request, params, context }: Route.LoaderArgs) {
  return loadRunAgent({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return runAgentAction({ request, params, context });
}

export default function RunAuthoredAgent({ loaderData, actionData }: Route.ComponentProps) {
  return <RunAgentPage agent={loaderData} lastResult={actionData} />;
}
