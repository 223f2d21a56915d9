import { DashboardHome } from '#app/features/dashboard/dashboard-home.tsx';
import { loadDashboardHome } from '#app/features/dashboard/load-dashboard-home.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['dashboard', 'explanations', 'actions'] };

export function loader({ request, context }: Route.LoaderArgs) {
  return loadDashboardHome({ request, context });
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return <DashboardHome home={loaderData} />;
}
