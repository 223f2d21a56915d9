import { createScheduleAction } from '#app/features/triggers/create-trigger-action.server.ts';
import { loadNewTrigger } from '#app/features/triggers/load-triggers.server.ts';
import { NewSchedulePage } from '#app/features/triggers/new-trigger-pages.tsx';
import type { Route } from './+types/new-schedule';

export const handle = { i18n: ['triggers', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNewTrigger(context);
}

export function action({ request, context }: Route.ActionArgs) {
  return createScheduleAction({ request, context });
}

export default function NewSchedule({ loaderData, actionData }: Route.ComponentProps) {
  return <NewSchedulePage view={loaderData} lastResult={actionData} />;
}
