import { agentCommandAction } from '#app/features/agents/agent-command-action.server.ts';
import { AgentPage } from '#app/features/agents/agent-page.tsx';
import { loadAgent } from '#app/features/agents/load-agent.server.ts';
import type { Route } from './+types/agent';

export const handle = { i18n: ['agents', 'control'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAgent({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return agentCommandAction({ request, params, context });
}

export default function AuthoredAgent({ loaderData, actionData }: Route.ComponentProps) {
  return <AgentPage agent={loaderData} missing={actionData !== undefined} />;
}
