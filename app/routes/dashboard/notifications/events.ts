import { notificationEvents } from '#app/features/notifications/notification-events.server.ts';
import type { Route } from './+types/events';

export function loader({ request, url, context }: Route.LoaderArgs) {
  return notificationEvents({ request, url, context });
}
