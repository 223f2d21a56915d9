import { DashboardHome } from '#app/features/dashboard/dashboard-home.tsx';
import { loadDashboardHome } from '#app/features/dashboard/load-dashboard-home.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['dashboard'] };

export function loader({ context, request }: Route.LoaderArgs) {
  return loadDashboardHome(context, request);
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return <DashboardHome home={loaderData} />;
}
