import { loadSecurity } from '#app/features/account/load-security.server.ts';
import { changeSecurity } from '#app/features/account/security-action.server.ts';
import { SecurityPage } from '#app/features/account/security-page.tsx';
import type { Route } from './+types/security';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadSecurity(context);
}

export function action(args: Route.ActionArgs) {
  return changeSecurity(args);
}

export default function Security({ loaderData, actionData }: Route.ComponentProps) {
  return <SecurityPage view={loaderData} answer={actionData} />;
}
