import { AgentFormPage } from '#app/features/agents/agent-form.tsx';
import { loadAgentEditor } from '#app/features/agents/load-agent.server.ts';
import { saveAgentAction } from '#app/features/agents/save-agent-action.server.ts';
import type { Route } from './+types/edit';

export const handle = { i18n: ['agents'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAgentEditor({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return saveAgentAction({ request, params, context });
}

export default function EditAuthoredAgent({ loaderData, actionData }: Route.ComponentProps) {
  return <AgentFormPage draft={loaderData.draft} offered={loaderData.offered} lastResult={actionData} />;
}
