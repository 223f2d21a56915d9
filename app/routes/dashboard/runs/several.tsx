import { loadSeveralScreen } from '#app/features/runs/several/load-several.server.ts';
import { severalAction } from '#app/features/runs/several/several-action.server.ts';
import { SeveralPage } from '#app/features/runs/several/several-page.tsx';
import type { Route } from './+types/several';

export const handle = { i18n: ['runs'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadSeveralScreen(context, url);
}

export function action({ request, context }: Route.ActionArgs) {
  return severalAction({ request, context });
}

export default function SeveralRunsRoute({ loaderData }: Route.ComponentProps) {
  return <SeveralPage {...loaderData} />;
}
