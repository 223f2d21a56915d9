import { ItemPage } from '#app/features/runs/items/item-page.tsx';
import { loadItem } from '#app/features/runs/items/load-items.server.ts';
import type { Route } from './+types/item';

export const handle = { i18n: ['runs', 'flow', 'approvals', 'explanations'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadItem(context, params.run, url);
}

export default function RunItemRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage {...loaderData} />;
}
