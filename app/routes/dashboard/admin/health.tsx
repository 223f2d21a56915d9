import { HealthPage } from '#app/features/shell/health-page.tsx';
import { loadHealthPage } from '#app/features/shell/load-health.server.ts';
import type { Route } from './+types/health';

export const handle = { i18n: ['health'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadHealthPage(context);
}

export default function Health({ loaderData }: Route.ComponentProps) {
  return <HealthPage view={loaderData} />;
}
