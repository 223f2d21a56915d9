import { loadSignInSecurity } from '#app/features/admin/load-sign-in-security.server.ts';
import { SecurityPage } from '#app/features/admin/security-page.tsx';
import type { Route } from './+types/security';

export const handle = { i18n: ['admin'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadSignInSecurity(context);
}

export default function Security({ loaderData }: Route.ComponentProps) {
  return <SecurityPage view={loaderData} />;
}
