import { loadPerformance } from '#app/features/admin/load-performance.server.ts';
import { PerformancePage } from '#app/features/admin/performance-page.tsx';
import type { Route } from './+types/performance';

export const handle = { i18n: ['admin', 'figures'] };

export function loader({ request, url, context }: Route.LoaderArgs) {
  return loadPerformance({ request, url, context });
}

export default function Performance({ loaderData }: Route.ComponentProps) {
  return <PerformancePage view={loaderData} />;
}
