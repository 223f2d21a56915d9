import { isRouteErrorResponse } from 'react-router';
import { ErrorBody, ErrorPage } from '#app/components/error-page.tsx';
import { FormWorkspaceProvider } from '#app/components/form/form-workspace.tsx';
import { LiveCountsProvider } from '#app/components/live-counts.tsx';
import { isKeptForm } from '#app/features/auth/kept-form.ts';
import { KeptFormPage } from '#app/features/auth/kept-form-page.tsx';
import { requireMember } from '#app/features/auth/require-member.server.ts';
import { Activity } from '#app/features/notifications/activity.tsx';
import { SearchBox } from '#app/features/search/search-box.tsx';
import { AppShell } from '#app/features/shell/app-shell.tsx';
import { loadShell } from '#app/features/shell/load-shell.server.ts';
import { StillOutlet } from '#app/features/shell/still-outlet.tsx';
import type { Route } from './+types/layout';

export const handle = { i18n: ['shell'] };

export const middleware: Route.MiddlewareFunction[] = [requireMember];

export function loader({ context, request }: Route.LoaderArgs) {
  return loadShell(context, request);
}

export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  return (
    <FormWorkspaceProvider workspaceId={loaderData.workspace.id}>
      <LiveCountsProvider loaded={loaderData.counts}>
        <AppShell shell={loaderData} search={<SearchBox />}>
          <StillOutlet />
        </AppShell>
        <Activity />
      </LiveCountsProvider>
    </FormWorkspaceProvider>
  );
}

/** What fails in one screen leaves the way to all others standing. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && isKeptForm(error.data)) return <KeptFormPage form={error.data} />;
  if (!loaderData) return <ErrorPage error={error} />;
  return (
    <FormWorkspaceProvider workspaceId={loaderData.workspace.id}>
      <AppShell shell={loaderData} search={<SearchBox />}>
        <ErrorBody error={error} />
      </AppShell>
    </FormWorkspaceProvider>
  );
}
