import { changeAction } from '#app/features/runs/change/change-action.server.ts';
import { ChangePage } from '#app/features/runs/change/change-page.tsx';
import { loadChangeScreen } from '#app/features/runs/change/load-change.server.ts';
import type { Route } from './+types/change';

export const handle = { i18n: ['runs', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadChangeScreen(context, params.run, url);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return changeAction({ request, params, context });
}

export default function RunChangeRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ChangePage {...loaderData} answer={actionData} />;
}
