import { inspectAction } from '#app/features/dev-console/inspect-action.server.ts';
import { InspectorPage } from '#app/features/dev-console/inspector-page.tsx';
import { loadInspector } from '#app/features/dev-console/load-inspector.server.ts';
import type { Route } from './+types/inspector';

export const handle = { i18n: ['devConsole', 'validation'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadInspector({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return inspectAction({ request, context });
}

export default function Inspector({ loaderData, actionData }: Route.ComponentProps) {
  return <InspectorPage view={loaderData} lastResult={actionData} />;
}
