import { deleteTriggerAction } from '#app/features/triggers/change-trigger-action.server.ts';
import { loadTrigger } from '#app/features/triggers/load-triggers.server.ts';
import { DeleteTriggerPage } from '#app/features/triggers/new-trigger-pages.tsx';
import type { Route } from './+types/delete';

export const handle = { i18n: ['triggers', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadTrigger(context, params.trigger);
}

export function action({ context, params }: Route.ActionArgs) {
  return deleteTriggerAction({ context, id: params.trigger });
}

export default function DeleteTrigger({ loaderData }: Route.ComponentProps) {
  return <DeleteTriggerPage trigger={loaderData} />;
}
