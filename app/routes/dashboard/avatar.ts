import { serveAvatar } from '#app/features/account/profile/serve-avatar.server.ts';
import type { Route } from './+types/avatar';

export function loader(args: Route.LoaderArgs) {
  return serveAvatar(args);
}
