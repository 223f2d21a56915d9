import { loadRunAgainScreen } from '#app/features/runs/load-screens.server.ts';
import { runAgainAction } from '#app/features/runs/run-again-action.server.ts';
import { RunAgainPage } from '#app/features/runs/run-again-page.tsx';
import type { Route } from './+types/again';

export const handle = { i18n: ['runs', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadRunAgainScreen(context, params.run, url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return runAgainAction({ request, params, context });
}

export default function RunAgainRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <RunAgainPage {...loaderData} refused={actionData?.refused} seconds={actionData?.seconds ?? 0} />;
}
