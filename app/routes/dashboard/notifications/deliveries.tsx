import { DeliveriesPage } from '#app/features/notifications/deliveries-page.tsx';
import { loadDeliveries } from '#app/features/notifications/load-deliveries.server.ts';
import { sendAgainAction } from '#app/features/notifications/send-again-action.server.ts';
import type { Route } from './+types/deliveries';

export const handle = { i18n: ['notifications'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadDeliveries({ context, url });
}

export function action({ request, context }: Route.ActionArgs) {
  return sendAgainAction({ request, context });
}

export default function DeliveriesRoute({ loaderData }: Route.ComponentProps) {
  return <DeliveriesPage {...loaderData} />;
}
