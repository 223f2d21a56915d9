import { loadProvisioning } from '#app/features/provisioning/load-provisioning.server.ts';
import { ProvisioningPage } from '#app/features/provisioning/provisioning-page.tsx';
import { confirmTokenAction } from '#app/features/provisioning/token-actions.server.ts';
import type { Route } from './+types/overview';

export const handle = { i18n: ['provisioning', 'admin', 'members'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadProvisioning(context);
}

export function action(args: Route.ActionArgs) {
  return confirmTokenAction(args);
}

export default function Provisioning({ loaderData }: Route.ComponentProps) {
  return <ProvisioningPage view={loaderData} />;
}
