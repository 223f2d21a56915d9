import { v7 as newId } from 'uuid';
import type { Principal } from '#app/contracts/principals.ts';
import { acceptUpload } from '#app/engine/documents/accept-upload.ts';
import { createDatabaseFiles } from '#app/platform/files/database-files.server.ts';
import type { RunFixture, Workspace } from '#tests/support/run-fixture.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

type World = { database: TestDatabase; runs: RunFixture; workspace: Workspace };

/** A file that the builder uploads for a run: what the form then holds of it, or why it was refused. `scanned`: what the scanner says. */
export function uploadFile(
  { database, runs, workspace }: World,
  name: string,
  content: string | Buffer,
  scanned: 'clean' | 'refused' | 'unavailable' = 'clean',
) {
  const member = workspace.builder;
  const principal: Principal = {
    workspace: { id: workspace.id, name: '' },
    userId: member.id,
    name: member.name,
    roles: ['user', 'builder'],
    scopes: null,
    read: (work) => database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work),
    change: (work) => runs.asMember(workspace, member, work),
  };
  return acceptUpload(
    principal,
    {
      engine: { enqueueRun: runs.enqueueRun, admitRun: runs.admitRun, sealer: { seal: () => new Uint8Array(), open: () => '' } },
      files: createDatabaseFiles(database.database, newId),
      scanFile: async () => scanned,
      newId,
      now: () => new Date(),
    },
    { name, content: Buffer.from(content) },
  );
}
