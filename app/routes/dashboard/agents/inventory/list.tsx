import { InventoryList } from '#app/features/agents/inventory/inventory-list.tsx';
import { loadInventory } from '#app/features/agents/inventory/load-inventory.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['inventory'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadInventory({ context, url });
}

export default function Inventory({ loaderData }: Route.ComponentProps) {
  return <InventoryList {...loaderData} />;
}
