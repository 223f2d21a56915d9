import { loadOpenApi } from '#app/features/api/openapi.server.ts';
import type { Route } from './+types/openapi';

export function loader({ context }: Route.LoaderArgs) {
  return loadOpenApi(context);
}
