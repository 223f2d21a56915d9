import { loadPerformance } from '#app/features/admin/load-performance.server.ts';
import { PerformancePage } from '#app/features/admin/performance-page.tsx';
import type { Route } from './+types/performance';

export const handle = { i18n: ['admin', 'figures'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadPerformance({ url, context });
}

export default function Performance({ loaderData }: Route.ComponentProps) {
  return <PerformancePage view={loaderData} />;
}
