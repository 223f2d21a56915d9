import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type RunTrial, TRIAL_MAX_BYTES } from '#app/contracts/run-trial.ts';
import { AppError } from '#app/domain/errors.ts';
import { namesAfter } from '#app/domain/workflows/mappings/expression-text.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { readSampleData, type SampleScope } from '#app/engine/workflows/read-sample-scope.ts';

/** The ids of the steps whose outputs a step's expressions name, and those of the steps that it holds. */
export function stepsNamedBy(step: Step): string[] {
  const own = new Set([...walkSteps([step])].map((one) => one.step.id));
  return [...namesAfter('steps', textsOf(step as unknown as Json).join('\n'))].filter((id) => !own.has(id));
}

const textsOf = (value: Json): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const NOTHING = { input: {}, steps: {} };

/**
 * Data for the test of one step. `sample`: the index of a sample; null: the newest run that the member sees, or nothing where there is
 * none. Of its input only what the draft
 * still asks for. @throws AppError not_found where there is no such sample; over_limit where it is more than a test takes
 */
export async function readTestData(
  db: Db,
  draft: WorkflowDraft,
  { step, path }: { step: Step; path: string },
  sample: number | null,
): Promise<{ input: { [name: string]: Json }; trial: RunTrial }> {
  const data = await readSampleData(db, draft, path, { steps: stepsNamedBy(step), ...(sample === null ? {} : { sample }) });
  if (data === null && sample !== null) throw new AppError('not_found', { values: { what: 'testData' } });
  const { input, steps: outputs, item, index }: Partial<SampleScope> & Pick<SampleScope, 'input' | 'steps'> = data?.scope ?? NOTHING;
  if (JSON.stringify(outputs).length > TRIAL_MAX_BYTES) throw new AppError('over_limit', { values: { what: 'testData' } });
  const asked = new Set(draft.document.input.map(({ name }) => name));
  return {
    input: Object.fromEntries(Object.entries(input).filter(([name]) => asked.has(name))),
    trial: {
      kind: 'step',
      step: step.id,
      outputs,
      pinned: data?.pinned ?? [],
      around: item === undefined ? {} : { item, index: index ?? 0 },
    },
  };
}
