import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { addProvider } from '#app/features/admin/sign-in/provider-action.server.ts';
import { NewProviderPage } from '#app/features/admin/sign-in/provider-page.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['admin', 'members', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, 'manageMembers');
  return null;
}

export function action(args: Route.ActionArgs) {
  return addProvider(args);
}

export default function NewProvider({ actionData }: Route.ComponentProps) {
  return <NewProviderPage lastResult={actionData} />;
}
