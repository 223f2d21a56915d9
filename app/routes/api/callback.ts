import { receiveCallback } from '#app/features/triggers/receive-callback.server.ts';
import { refuseReading } from '#app/features/triggers/receive-hook.server.ts';
import type { Route } from './+types/callback';

export function loader() {
  return refuseReading();
}

export function action({ request, params, context }: Route.ActionArgs) {
  return receiveCallback({ request, params, context });
}
