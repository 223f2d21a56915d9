import { loadOwnKey } from '#app/features/auth/session/load-own-key.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/key';

export const middleware: Route.MiddlewareFunction[] = [requireKey()];

export function loader({ context }: Route.LoaderArgs) {
  return loadOwnKey(context);
}
