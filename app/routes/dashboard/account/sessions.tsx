import { endSessions } from '#app/features/account/sessions/end-sessions-action.server.ts';
import { loadSessions } from '#app/features/account/sessions/load-sessions.server.ts';
import { SessionsPage } from '#app/features/account/sessions/sessions-page.tsx';
import type { Route } from './+types/sessions';

export const handle = { i18n: ['account'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadSessions(context);
}

export function action(args: Route.ActionArgs) {
  return endSessions(args);
}

export default function Sessions({ loaderData }: Route.ComponentProps) {
  return <SessionsPage view={loaderData} />;
}
