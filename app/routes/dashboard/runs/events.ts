import { openMemberStream } from '#app/components/live/member-stream.server.ts';
import { notificationEvents } from '#app/features/notifications/notification-events.server.ts';
import { runEvents } from '#app/features/runs/run-events.server.ts';
import type { Route } from './+types/events';

/** With `?person` also what is new for the reader, so that a page holds one stream. */
export async function loader({ request, params, url, context }: Route.LoaderArgs) {
  const run = await runEvents({ request, params, context });
  const person = url.searchParams.has('person') ? [notificationEvents({ request, url, context })] : [];
  return openMemberStream(context, request.signal, run, ...person);
}
