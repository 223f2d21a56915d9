import { loadPrices, priceAction } from '#app/features/connections/price-action.server.ts';
import { PriceForm } from '#app/features/connections/price-form.tsx';
import type { Route } from './+types/prices';

export const handle = { i18n: ['connections'] };

export function loader({ request, params, context }: Route.LoaderArgs) {
  return loadPrices({ request, params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return priceAction({ request, params, context });
}

export default function ModelPrices({ loaderData, actionData }: Route.ComponentProps) {
  return <PriceForm connection={loaderData} lastResult={actionData} />;
}
