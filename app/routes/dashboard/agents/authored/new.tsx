import { AgentFormPage } from '#app/features/agents/agent-form.tsx';
import { loadNewAgent } from '#app/features/agents/load-agent.server.ts';
import { createAgentAction } from '#app/features/agents/save-agent-action.server.ts';
import type { Route } from './+types/new';

export const handle = { i18n: ['agents'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNewAgent({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return createAgentAction({ request, context });
}

export default function NewAuthoredAgent({ loaderData, actionData }: Route.ComponentProps) {
  return <AgentFormPage draft={null} offered={loaderData.offered} lastResult={actionData} />;
}
