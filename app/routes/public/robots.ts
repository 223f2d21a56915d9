import { robots } from '#app/features/public/frame/site-map.server.ts';
import type { Route } from './+types/robots';

export function loader({ context }: Route.LoaderArgs) {
  return robots(context);
}
