import { installAction } from '#app/features/marketplace/install-action.server.ts';
import { loadEntry } from '#app/features/marketplace/load-marketplace.server.ts';
import { ServerPage } from '#app/features/marketplace/server-page.tsx';
import type { Route } from './+types/server';

export const handle = { i18n: ['marketplace'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadEntry({ params, context });
}

export function action({ params, context }: Route.ActionArgs) {
  return installAction({ params, context });
}

export default function MarketplaceServer({ loaderData }: Route.ComponentProps) {
  return <ServerPage server={loaderData} />;
}
