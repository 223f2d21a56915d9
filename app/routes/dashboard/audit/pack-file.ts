import { downloadPack } from '#app/features/audit/packs/download-pack.server.ts';
import type { Route } from './+types/pack-file';

export function loader({ url, context, params }: Route.LoaderArgs) {
  return downloadPack({ url, context, params });
}
