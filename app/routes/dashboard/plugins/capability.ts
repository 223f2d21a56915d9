import { downloadCapability } from '#app/features/connections/download-capability.server.ts';
import type { Route } from './+types/capability';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadCapability({ params, context });
}
