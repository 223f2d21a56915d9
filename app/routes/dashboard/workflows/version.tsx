import { loadVersionScreen } from '#app/features/workflows/load-screens.server.ts';
import { restoreVersionAction } from '#app/features/workflows/version-action.server.ts';
import { VersionPage } from '#app/features/workflows/version-page.tsx';
import type { Route } from './+types/version';

export const handle = { i18n: ['workflows', 'flow'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadVersionScreen(context, params.workflow, params.number, url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return restoreVersionAction({ request, params, context });
}

export default function WorkflowVersionRoute({ loaderData }: Route.ComponentProps) {
  return <VersionPage {...loaderData} />;
}
