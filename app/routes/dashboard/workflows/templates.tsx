import { loadTemplatesScreen } from '#app/features/workflows/list/load-templates.server.ts';
import { TemplatesScreen } from '#app/features/workflows/list/templates-screen.tsx';
import type { Route } from './+types/templates';

export const handle = { i18n: ['workflows', 'flow'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadTemplatesScreen(context);
}

export default function WorkflowTemplatesRoute({ loaderData }: Route.ComponentProps) {
  return <TemplatesScreen {...loaderData} />;
}
