import { BasicAnalytics } from '#app/features/analytics/basic-analytics.tsx';
import { loadBasicAnalytics } from '#app/features/analytics/load-analytics.server.ts';
import type { Route } from './+types/basic';

export const handle = { i18n: ['analytics', 'figures'] };

export function loader({ request, url, context }: Route.LoaderArgs) {
  return loadBasicAnalytics({ request, url, context });
}

export default function Basic({ loaderData }: Route.ComponentProps) {
  return <BasicAnalytics {...loaderData} />;
}
