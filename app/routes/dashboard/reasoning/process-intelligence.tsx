import { loadProcessIntelligence } from '#app/features/reasoning/load-process.server.ts';
import { ProcessIntelligencePage } from '#app/features/reasoning/process-intelligence-page.tsx';
import type { Route } from './+types/process-intelligence';

export const handle = { i18n: ['reasoning', 'figures'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadProcessIntelligence({ url, context });
}

export default function ProcessIntelligence({ loaderData }: Route.ComponentProps) {
  return <ProcessIntelligencePage {...loaderData} />;
}
