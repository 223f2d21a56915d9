import { z } from 'zod';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { readChange, readChangeable } from '#app/engine/runs/changed-data.ts';
import { loadRunAgain } from '#app/engine/runs/load-run-again.ts';

/**
 * Continues an ended run from a step as a new one, with the step's input or an earlier result changed by hand. Who may change a workflow may
 * do so: the change counts as high risk for every later decision. `data`: JSON.
 */
export const continueChanged = defineStart({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({
    run: z.uuid(),
    step: z.string(),
    place: z.object({ path: z.string(), part: z.enum(['input', 'output']) }),
    data: z.string(),
    requestKey: z.uuid(),
  }),
  async prepare({ db }, { run, step, place, data }) {
    const again = await loadRunAgain(db, run, step, true);
    const changed = readChange(await readChangeable(db, again, place), data);
    const { runId, workflow, versionId, document, mode, input, plan, trial } = again;
    return {
      artifactId: workflow.id,
      versionId,
      document,
      mode,
      input,
      name: workflow.name,
      from: { runId, path: step, plan, changed },
      trial,
    };
  },
});
