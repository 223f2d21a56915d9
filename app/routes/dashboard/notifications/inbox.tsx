import { NotificationInbox } from '#app/features/notifications/inbox-page.tsx';
import { loadNotificationInbox } from '#app/features/notifications/load-inbox.server.ts';
import { markAction } from '#app/features/notifications/mark-action.server.ts';
import type { Route } from './+types/inbox';

export const handle = { i18n: ['notifications', 'explanations'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadNotificationInbox({ context, url });
}

export function action(args: Route.ActionArgs) {
  return markAction(args);
}

export default function NotificationInboxRoute({ loaderData }: Route.ComponentProps) {
  return <NotificationInbox {...loaderData} />;
}
