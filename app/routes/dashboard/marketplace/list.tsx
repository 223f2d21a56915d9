import { loadMarketplace } from '#app/features/marketplace/load-marketplace.server.ts';
import { MarketplacePage } from '#app/features/marketplace/marketplace-page.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['marketplace'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadMarketplace({ url, context });
}

export default function Marketplace({ loaderData }: Route.ComponentProps) {
  return <MarketplacePage list={loaderData} />;
}
