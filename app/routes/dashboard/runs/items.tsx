import { ItemsPage } from '#app/features/runs/items/items-page.tsx';
import { loadItems } from '#app/features/runs/items/load-items.server.ts';
import type { Route } from './+types/items';

export const handle = { i18n: ['runs', 'approvals', 'explanations'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadItems(context, params.run, url);
}

export default function RunItemsRoute({ loaderData }: Route.ComponentProps) {
  return <ItemsPage {...loaderData} />;
}
