import { openMemberStream } from '#app/components/live/member-stream.server.ts';
import { notificationEvents } from '#app/features/notifications/notification-events.server.ts';
import type { Route } from './+types/events';

export function loader({ request, url, context }: Route.LoaderArgs) {
  return openMemberStream(context, request.signal, notificationEvents({ request, url, context }));
}
