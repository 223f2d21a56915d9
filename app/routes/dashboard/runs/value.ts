import { downloadValue } from '#app/features/runs/download-value.server.ts';
import type { Route } from './+types/value';

export function loader({ context, params, url }: Route.LoaderArgs) {
  return downloadValue(context, params.run, url);
}
