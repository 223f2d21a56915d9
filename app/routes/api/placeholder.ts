import { drawPlaceholder } from '#app/features/public/frame/placeholder.server.ts';
import type { Route } from './+types/placeholder';

export function loader({ params }: Route.LoaderArgs) {
  return drawPlaceholder(params.width, params.height);
}
