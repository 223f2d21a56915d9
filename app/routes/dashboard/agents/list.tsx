import { AgentList } from '#app/features/agents/agent-list.tsx';
import { loadAgentList } from '#app/features/agents/load-agent-list.server.ts';
import { addBuiltinAction } from '#app/features/connections/connect/add-builtin-action.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['agents'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadAgentList({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return addBuiltinAction({ request, context, kind: 'a2a' });
}

export default function Agents({ loaderData }: Route.ComponentProps) {
  return <AgentList loaded={loaderData} />;
}
