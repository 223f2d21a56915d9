import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { cancelRun as askForEnd } from '#app/engine/runs/cancel-run.ts';

/** Asks a run to stop: no further step starts once this has committed, and the current one is stopped. The database says whose runs one may end. */
export const cancelRun = defineCommand({
  permission: null,
  scope: 'runs:start',
  input: z.object({ run: idSchema }),
  actions: ['run.cancelRequested'],
  changes: ['quorate.runs'],
  repeat: 'refused',
  async change({ db, principal, engine, now }, { run }) {
    const which = { workspaceId: principal.workspace.id, runId: run, memberId: principal.userId };
    return { result: null, event: await askForEnd(db, { enqueueRun: engine.enqueueRun, now }, which) };
  },
});
