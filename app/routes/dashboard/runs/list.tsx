import { loadRunListScreen } from '#app/features/runs/load-screens.server.ts';
import { RunList } from '#app/features/runs/run-list.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['runs'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadRunListScreen(context, url);
}

export default function RunListRoute({ loaderData }: Route.ComponentProps) {
  return <RunList {...loaderData} />;
}
