import { AdminPage } from '#app/features/members/admin-page.tsx';
import { loadAdmin } from '#app/features/members/load-admin.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['members'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAdmin(context);
}

export default function Admin({ loaderData }: Route.ComponentProps) {
  return <AdminPage workspace={loaderData.workspace} managesKeys={loaderData.manages} />;
}
