import { AgentVersionPage } from '#app/features/agents/agent-version-page.tsx';
import { loadAgentVersion } from '#app/features/agents/load-agent-version.server.ts';
import type { Route } from './+types/version';

export const handle = { i18n: ['agents'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAgentVersion({ params, context });
}

export default function AgentVersionRoute({ loaderData }: Route.ComponentProps) {
  return <AgentVersionPage version={loaderData} />;
}
