import { keepFileApi } from '#app/features/api/files-api.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import { refuseReading } from '#app/features/triggers/receive-hook.server.ts';
import type { Route } from './+types/files';

export const middleware: Route.MiddlewareFunction[] = [requireKey('runs:start')];

export function loader() {
  return refuseReading();
}

export function action({ request, context }: Route.ActionArgs) {
  return keepFileApi({ request, context });
}
