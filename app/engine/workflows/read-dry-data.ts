import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type RunTrial, TRIAL_MAX_BYTES } from '#app/contracts/run-trial.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { readSampleData } from '#app/engine/workflows/read-sample-scope.ts';

/**
 * Data for a dry run of a draft: the outputs that are pinned to its steps, and those of the newest run that the member sees, as far as all of
 * them are not too large together.
 */
export async function readDryData(db: Db, draft: { id: string; document: WorkflowDocument }): Promise<RunTrial> {
  const ids = [...walkSteps(draft.document.steps)].map(({ step }) => step.id);
  const data = await readSampleData(db, draft, '', { steps: ids });
  const pinned = data?.pinned ?? [];
  const known = Object.entries(data?.scope.steps ?? {}).sort(([a], [b]) => Number(pinned.includes(b)) - Number(pinned.includes(a)));
  let bytes = 0;
  const outputs: { [step: string]: Json } = {};
  for (const [id, output] of known) {
    const size = JSON.stringify(output).length;
    if (bytes + size > TRIAL_MAX_BYTES) continue;
    bytes += size;
    outputs[id] = output;
  }
  return { kind: 'dry', outputs, pinned: pinned.filter((id) => Object.hasOwn(outputs, id)), around: {} };
}
