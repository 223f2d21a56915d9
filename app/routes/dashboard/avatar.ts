import { serveAvatar } from '#app/features/account/serve-avatar.server.ts';
import type { Route } from './+types/avatar';

export function loader(args: Route.LoaderArgs) {
  return serveAvatar(args);
}
