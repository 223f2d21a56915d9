import { changeTriggerAction } from '#app/features/triggers/change-trigger-action.server.ts';
import { loadTriggers } from '#app/features/triggers/load-triggers.server.ts';
import { TriggersPage } from '#app/features/triggers/triggers-page.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['triggers'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadTriggers(context);
}

export function action({ request, context }: Route.ActionArgs) {
  return changeTriggerAction({ request, context });
}

export default function Triggers({ loaderData }: Route.ComponentProps) {
  return <TriggersPage {...loaderData} />;
}
