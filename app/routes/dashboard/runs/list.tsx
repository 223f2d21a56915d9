import { loadRunListScreen } from '#app/features/runs/list/load-run-list-screen.server.ts';
import { RunList } from '#app/features/runs/list/run-list.tsx';
import { changeRunViews } from '#app/features/runs/list/run-views.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['runs', 'explanations', 'validation'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadRunListScreen(context, url);
}

export function action({ request, context }: Route.ActionArgs) {
  return changeRunViews({ request, context });
}

export default function RunListRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <RunList {...loaderData} refused={actionData} />;
}
