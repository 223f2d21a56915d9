import { loadTenantSecret } from '#app/features/admin/tenant.server.ts';
import { TenantSecretPage } from '#app/features/admin/tenant-page.tsx';
import type { Route } from './+types/tenant-secret';

export const handle = { i18n: ['admin'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadTenantSecret(context);
}

export default function TenantSecret({ loaderData }: Route.ComponentProps) {
  return <TenantSecretPage {...loaderData} />;
}
