import { downloadFrames } from '#app/features/dev-console/load-inspector.server.ts';
import type { Route } from './+types/frames';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadFrames({ params, context });
}
