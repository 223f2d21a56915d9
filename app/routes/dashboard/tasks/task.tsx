import { answerTaskAction } from '#app/features/tasks/answer-task-action.server.ts';
import { loadTask } from '#app/features/tasks/load-task.server.ts';
import { TaskPage } from '#app/features/tasks/task-page.tsx';
import type { Route } from './+types/task';

export const handle = { i18n: ['approvals', 'inputs', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadTask({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return answerTaskAction({ request, params, context });
}

export default function Task({ loaderData, actionData }: Route.ComponentProps) {
  return <TaskPage task={loaderData} lastResult={actionData} />;
}
