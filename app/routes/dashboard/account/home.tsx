import { AccountPage } from '#app/features/account/account-page.tsx';
import { loadAccount } from '#app/features/account/load-account.server.ts';
import { saveName } from '#app/features/account/save-name-action.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAccount(context);
}

export function action(args: Route.ActionArgs) {
  return saveName(args);
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  return <AccountPage view={loaderData} lastResult={actionData} />;
}
