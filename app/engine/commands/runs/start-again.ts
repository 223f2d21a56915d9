import { z } from 'zod';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { loadRunAgain } from '#app/engine/runs/load-run-again.ts';

/** Starts an ended run again as a new one: from its beginning (`step` null), or from a step with what was done before it kept. */
export const startAgain = defineStart({
  permission: 'startRun',
  scope: null,
  input: z.object({ run: z.uuid(), step: z.string().nullable(), requestKey: z.uuid() }),
  async prepare({ db }, { run, step }) {
    const { runId, workflow, versionId, document, mode, input, plan, trial } = await loadRunAgain(db, run, step);
    return { artifactId: workflow.id, versionId, document, mode, input, name: workflow.name, from: { runId, path: step, plan }, trial };
  },
});
