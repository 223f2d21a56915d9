import { downloadFile } from '#app/features/files/download-file.server.ts';
import type { Route } from './+types/file';

export function loader({ context, params, url }: Route.LoaderArgs) {
  return downloadFile(context, params.file, url);
}
