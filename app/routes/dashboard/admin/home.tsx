import { AdminPage } from '#app/features/admin/admin-page.tsx';
import { loadAdminHome } from '#app/features/admin/load-admin-home.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['admin'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAdminHome(context);
}

export default function Admin({ loaderData }: Route.ComponentProps) {
  return <AdminPage home={loaderData} />;
}
