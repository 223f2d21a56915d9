import { deputiesAction } from '#app/features/approvals/deputies/deputies-action.server.ts';
import { DeputiesPage } from '#app/features/approvals/deputies/deputies-page.tsx';
import { loadDeputies } from '#app/features/approvals/deputies/load-deputies.server.ts';
import type { Route } from './+types/deputies';

export const handle = { i18n: ['approvals', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadDeputies(context);
}

export function action(args: Route.ActionArgs) {
  return deputiesAction(args);
}

export default function Deputies({ loaderData, actionData }: Route.ComponentProps) {
  return <DeputiesPage deputies={loaderData} lastResult={actionData} />;
}
