import { loadPassTask, passTaskAction } from '#app/features/tasks/pass-task.server.ts';
import { PassTaskPage } from '#app/features/tasks/pass-task-page.tsx';
import type { Route } from './+types/pass';

export const handle = { i18n: ['approvals'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadPassTask({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return passTaskAction({ request, params, context });
}

export default function PassTask({ loaderData, actionData }: Route.ComponentProps) {
  return <PassTaskPage task={loaderData} lastResult={actionData} />;
}
