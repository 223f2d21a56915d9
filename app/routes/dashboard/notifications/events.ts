import { openMemberStream } from '#app/components/live/member-stream.server.ts';
import { deskEvents } from '#app/features/dashboard/desk-events.server.ts';
import { notificationEvents } from '#app/features/notifications/notification-events.server.ts';
import type { Route } from './+types/events';

/** With `?desk` also what happens in the workspace, so that a page holds one stream. */
export function loader({ request, url, context }: Route.LoaderArgs) {
  const desk = url.searchParams.has('desk') ? [deskEvents(context)] : [];
  return openMemberStream(context, request.signal, notificationEvents({ request, url, context }), ...desk);
}
