import { loadNewToken } from '#app/features/provisioning/load-provisioning.server.ts';
import { makeTokenAction } from '#app/features/provisioning/token-actions.server.ts';
import { NewTokenPage } from '#app/features/provisioning/token-pages.tsx';
import type { Route } from './+types/new-token';

export const handle = { i18n: ['provisioning', 'admin', 'validation'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadNewToken(context, url);
}

export function action(args: Route.ActionArgs) {
  return makeTokenAction(args);
}

export default function NewToken({ loaderData, actionData }: Route.ComponentProps) {
  return <NewTokenPage view={loaderData} answer={actionData} />;
}
