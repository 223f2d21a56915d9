import { loadMonitoring } from '#app/features/monitoring/load-monitoring.server.ts';
import { MonitoringPage } from '#app/features/monitoring/monitoring-page.tsx';
import type { Route } from './+types/monitoring';

export const handle = { i18n: ['monitoring', 'figures'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadMonitoring({ url, context });
}

export default function Monitoring({ loaderData }: Route.ComponentProps) {
  return <MonitoringPage {...loaderData} />;
}
