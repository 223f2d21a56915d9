import { clientMetadata } from '#app/features/serving/client-metadata.server.ts';
import type { Route } from './+types/mcp-client';

export function loader({ context }: Route.LoaderArgs) {
  return clientMetadata(context);
}
