import { loadTenant, saveTenant } from '#app/features/admin/tenant.server.ts';
import { TenantPage } from '#app/features/admin/tenant-page.tsx';
import type { Route } from './+types/tenant';

export const handle = { i18n: ['admin', 'control', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadTenant(context);
}

export function action(args: Route.ActionArgs) {
  return saveTenant(args);
}

export default function TenantSettings({ loaderData, actionData }: Route.ComponentProps) {
  const missing = actionData !== undefined && 'reasonMissing' in actionData;
  const answer = actionData !== undefined && 'about' in actionData ? actionData : undefined;
  return <TenantPage tenant={loaderData} answer={answer} missing={missing} />;
}
