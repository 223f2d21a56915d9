import { join } from 'node:path';
import { readEnv } from '#app/platform/env.server.ts';

/** The place of a data directory's marks, and of the permissions to leave one behind. `workspaceId`: a UUID. */
export function markFiles(dataDir: string) {
  const directory = join(dataDir, 'log-marks');
  return {
    directory,
    mark: (workspaceId: string) => join(directory, workspaceId),
    accepted: (workspaceId: string) => join(directory, `${workspaceId}.accepted`),
  };
}

/** Those of this machine's data directory, for commands beside the server. */
export const ownMarkFiles = () => markFiles(readEnv().dataDir);
