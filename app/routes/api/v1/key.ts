import { loadOwnKey } from '#app/features/auth/load-own-key.server.ts';
import { requireKey } from '#app/features/auth/require-key.server.ts';
import type { Route } from './+types/key';

export const middleware: Route.MiddlewareFunction[] = [requireKey()];

export function loader({ context }: Route.LoaderArgs) {
  return loadOwnKey(context);
}
