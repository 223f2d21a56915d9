import { changeTriggers } from '#app/features/triggers/change-trigger-action.server.ts';
import { loadTriggerList } from '#app/features/triggers/load-trigger-list.server.ts';
import { TriggersPage } from '#app/features/triggers/triggers-page.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['triggers'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadTriggerList({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return changeTriggers({ request, context });
}

export default function Triggers({ loaderData }: Route.ComponentProps) {
  return <TriggersPage {...loaderData} />;
}
