import { AccountPage } from '#app/features/account/account-page.tsx';
import { loadAccount } from '#app/features/account/load-account.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['account'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAccount(context);
}

export default function Account({ loaderData }: Route.ComponentProps) {
  return <AccountPage view={loaderData} />;
}
