import { deleteAgentAction } from '#app/features/agents/agent-command-action.server.ts';
import { DeleteAgentPage } from '#app/features/agents/delete-agent-page.tsx';
import { loadAgentDeletion } from '#app/features/agents/load-agent.server.ts';
import type { Route } from './+types/delete';

export const handle = { i18n: ['agents'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAgentDeletion({ params, context });
}

export function action({ params, context }: Route.ActionArgs) {
  return deleteAgentAction({ params, context });
}

export default function DeleteAuthoredAgent({ loaderData }: Route.ComponentProps) {
  return <DeleteAgentPage agent={loaderData} />;
}
