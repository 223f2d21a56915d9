import { DataPage } from '#app/features/account/data/data-page.tsx';
import { loadAccount } from '#app/features/account/load-account.server.ts';
import type { Route } from './+types/data';

export const handle = { i18n: ['account'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAccount(context);
}

export default function AccountData() {
  return <DataPage />;
}
