import { type ReactNode, useCallback } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { FormWorkspaceProvider } from '#app/components/form/form-workspace.tsx';
import { LiveCountsProvider } from '#app/components/live/live-counts.tsx';
import { ErrorBody, ErrorPage } from '#app/components/page/error-page.tsx';
import { frameFor, useKeptFrame } from '#app/components/page/kept-frame.ts';
import { isKeptForm } from '#app/domain/web/kept-form.ts';
import { KeptFormPage } from '#app/features/auth/session/kept-form-page.tsx';
import { requireMember } from '#app/features/auth/session/require-member.server.ts';
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
  const frame = useCallback((screen: ReactNode) => <Shell loaded={loaderData}>{screen}</Shell>, [loaderData]);
  useKeptFrame(frame);
  return (
    <LiveCountsProvider loaded={loaderData.counts}>
      <Shell loaded={loaderData}>
        <StillOutlet />
      </Shell>
      <Activity />
    </LiveCountsProvider>
  );
}

function Shell({ loaded, children }: { loaded: Route.ComponentProps['loaderData']; children: ReactNode }) {
  return (
    <FormWorkspaceProvider workspaceId={loaded.workspace.id}>
      <AppShell shell={loaded} search={<SearchBox />}>
        {children}
      </AppShell>
    </FormWorkspaceProvider>
  );
}

/** What fails in one screen leaves the way to all others standing. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && isKeptForm(error.data)) return <KeptFormPage form={error.data} />;
  const body = <ErrorBody error={error} />;
  if (loaderData) return <Shell loaded={loaderData}>{body}</Shell>;
  return frameFor(isRouteErrorResponse(error) ? error : null)?.(body) ?? <ErrorPage error={error} />;
}
