import { sendEventApi } from '#app/features/api/events-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import { refuseReading } from '#app/features/triggers/receive-hook.server.ts';
import type { Route } from './+types/event';

export const middleware: Route.MiddlewareFunction[] = [requireKey('runs:start')];

export function loader() {
  return refuseReading();
}

export function action({ request, params, context }: Route.ActionArgs) {
  return sendEventApi({ request, params, context });
}
