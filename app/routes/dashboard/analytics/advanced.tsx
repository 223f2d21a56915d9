import { AdvancedAnalytics } from '#app/features/analytics/advanced-analytics.tsx';
import { loadAdvancedAnalytics } from '#app/features/analytics/load-analytics.server.ts';
import type { Route } from './+types/advanced';

export const handle = { i18n: ['analytics', 'figures', 'explanations'] };

export function loader({ request, url, context }: Route.LoaderArgs) {
  return loadAdvancedAnalytics({ request, url, context });
}

export default function Advanced({ loaderData }: Route.ComponentProps) {
  return <AdvancedAnalytics {...loaderData} />;
}
