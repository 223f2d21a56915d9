import { cancelRunAction } from '#app/features/runs/cancel-run-action.server.ts';
import { loadRunScreen } from '#app/features/runs/load-screens.server.ts';
import { RunPage } from '#app/features/runs/run-page.tsx';
import type { Route } from './+types/detail';

export const handle = { i18n: ['runs', 'flow', 'approvals', 'explanations'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadRunScreen(context, params.run, url);
}

export function action({ params, context }: Route.ActionArgs) {
  return cancelRunAction({ params, context });
}

export default function RunDetailRoute({ loaderData }: Route.ComponentProps) {
  return <RunPage {...loaderData} />;
}
