import { loadNotificationPreferences, savePreferences } from '#app/features/notifications/preferences.server.ts';
import { NotificationPreferences } from '#app/features/notifications/preferences-page.tsx';
import type { Route } from './+types/preferences';

export const handle = { i18n: ['notifications', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadNotificationPreferences(context);
}

export function action(args: Route.ActionArgs) {
  return savePreferences(args);
}

export default function NotificationPreferencesRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <NotificationPreferences view={loaderData} lastResult={actionData} />;
}
