import { deleteAccountAction } from '#app/features/account/data/delete-account-action.server.ts';
import { DeleteAccountPage } from '#app/features/account/data/delete-account-page.tsx';
import { loadFarewell } from '#app/features/account/data/load-data.server.ts';
import type { Route } from './+types/delete';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadFarewell(context);
}

export function action(args: Route.ActionArgs) {
  return deleteAccountAction(args);
}

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  return <DeleteAccountPage view={loaderData} lastResult={actionData} />;
}
