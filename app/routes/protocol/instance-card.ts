import { loadInstanceCard } from '#app/features/serving/serve-a2a.server.ts';
import type { Route } from './+types/instance-card';

export function loader({ request, context }: Route.LoaderArgs) {
  return loadInstanceCard(request, context);
}
