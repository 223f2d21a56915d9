import { arrangeDashboard, loadArrangement } from '#app/features/dashboard/arrange/arrange.server.ts';
import { ArrangePage } from '#app/features/dashboard/arrange/arrange-page.tsx';
import type { Route } from './+types/arrange';

export const handle = { i18n: ['dashboard'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadArrangement(context);
}

export function action({ request, context }: Route.ActionArgs) {
  return arrangeDashboard({ request, context });
}

export default function ArrangeRoute({ loaderData }: Route.ComponentProps) {
  return <ArrangePage {...loaderData} />;
}
