import { loadMonitoring } from '#app/features/admin/load-monitoring.server.ts';
import { MonitoringPage } from '#app/features/admin/monitoring-page.tsx';
import type { Route } from './+types/monitoring';

export const handle = { i18n: ['admin', 'explanations'] };

export function loader({ request, context }: Route.LoaderArgs) {
  return loadMonitoring({ request, context });
}

export default function Monitoring({ loaderData }: Route.ComponentProps) {
  return <MonitoringPage view={loaderData} />;
}
