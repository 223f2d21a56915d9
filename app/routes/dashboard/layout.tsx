import { type ReactNode, useCallback } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { FormWorkspaceProvider } from '#app/components/form/form-workspace.tsx';
import { UnsavedGuard } from '#app/components/form/unsaved/unsaved-guard.tsx';
import { LiveCountsProvider } from '#app/components/live/live-counts.tsx';
import { ErrorBody, ErrorPage } from '#app/components/page/error-page.tsx';
import { frameFor, useLastFrame } from '#app/components/page/last-frame.ts';
import { isPreservedForm } from '#app/domain/web/preserved-form.ts';
import { PreservedFormPage } from '#app/features/auth/session/preserved-form-page.tsx';
import { requireMember } from '#app/features/auth/session/require-member.server.ts';
import { Activity } from '#app/features/notifications/activity.tsx';
import { SearchBox } from '#app/features/search/search-box.tsx';
import { AppShell } from '#app/features/shell/app-shell.tsx';
import { loadShell } from '#app/features/shell/load-shell.server.ts';
import { MemoOutlet } from '#app/features/shell/memo-outlet.tsx';
import type { Route } from './+types/layout';

export const handle = { i18n: ['shell'] };

export const middleware: Route.MiddlewareFunction[] = [requireMember];

export function loader({ context, request }: Route.LoaderArgs) {
  return loadShell(context, request);
}

export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  const frame = useCallback((screen: ReactNode) => <Shell loaded={loaderData}>{screen}</Shell>, [loaderData]);
  useLastFrame(frame);
  return (
    <LiveCountsProvider loaded={loaderData.counts}>
      <Shell loaded={loaderData}>
        <MemoOutlet />
      </Shell>
      <Activity />
      <UnsavedGuard />
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

/** A failing screen leaves the navigation to all others in place. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && isPreservedForm(error.data)) return <PreservedFormPage form={error.data} />;
  const body = <ErrorBody error={error} />;
  if (loaderData) return <Shell loaded={loaderData}>{body}</Shell>;
  return frameFor(isRouteErrorResponse(error) ? error : null)?.(body) ?? <ErrorPage error={error} />;
}
