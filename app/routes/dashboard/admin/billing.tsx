import { BillingPage } from '#app/features/admin/billing/billing-page.tsx';
import { loadBilling } from '#app/features/admin/billing/load-billing.server.ts';
import type { Route } from './+types/billing';

export const handle = { i18n: ['admin'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadBilling(context);
}

export default function Billing({ loaderData }: Route.ComponentProps) {
  return <BillingPage billing={loaderData} />;
}
