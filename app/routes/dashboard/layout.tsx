import { Outlet } from 'react-router';
import { FormWorkspaceProvider } from '#app/components/form/app-form.tsx';
import { requireMember } from '#app/features/auth/require-member.server.ts';
import { AppShell } from '#app/features/shell/app-shell.tsx';
import { loadShell } from '#app/features/shell/load-shell.server.ts';
import type { Route } from './+types/layout';

export const handle = { i18n: ['shell'] };

export const middleware: Route.MiddlewareFunction[] = [requireMember];

export function loader({ context, request }: Route.LoaderArgs) {
  return loadShell(context, request);
}

export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  return (
    <FormWorkspaceProvider workspaceId={loaderData.workspace.id}>
      <AppShell shell={loaderData}>
        <Outlet />
      </AppShell>
    </FormWorkspaceProvider>
  );
}
