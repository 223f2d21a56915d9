import { siteMap } from '#app/features/public/frame/site-map.server.ts';
import type { Route } from './+types/sitemap';

export function loader({ context }: Route.LoaderArgs) {
  return siteMap(context);
}
