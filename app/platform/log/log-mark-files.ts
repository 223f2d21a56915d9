import { join } from 'node:path';
import { readEnv } from '#app/platform/env.server.ts';

/** Where the marks of a data directory stand, and what says that one may be left behind. `workspaceId`: a UUID. */
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
