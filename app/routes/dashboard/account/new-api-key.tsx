import { createApiKeyAction } from '#app/features/account/keys/create-api-key-action.server.ts';
import { loadNewApiKey } from '#app/features/account/keys/load-api-keys.server.ts';
import { NewApiKeyPage } from '#app/features/account/keys/new-api-key-page.tsx';
import type { Route } from './+types/new-api-key';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNewApiKey(context);
}

export function action(args: Route.ActionArgs) {
  return createApiKeyAction(args);
}

export default function NewApiKey({ loaderData, actionData }: Route.ComponentProps) {
  return <NewApiKeyPage view={loaderData} answer={actionData} />;
}
