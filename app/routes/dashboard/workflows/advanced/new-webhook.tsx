import { createWebhookAction } from '#app/features/triggers/create-trigger-action.server.ts';
import { loadNewTrigger } from '#app/features/triggers/load-triggers.server.ts';
import { NewWebhookPage } from '#app/features/triggers/new-trigger-pages.tsx';
import type { Route } from './+types/new-webhook';

export const handle = { i18n: ['triggers', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNewTrigger(context);
}

export function action({ request, context }: Route.ActionArgs) {
  return createWebhookAction({ request, context });
}

export default function NewWebhook({ loaderData, actionData }: Route.ComponentProps) {
  return <NewWebhookPage view={loaderData} answer={actionData} />;
}
