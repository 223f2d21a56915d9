import type { Json } from '#app/contracts/json.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/** The parts that a run which continues from a step takes over. Paths are those of the journal, in the order of the outline. */
export type ForkPlan = {
  /** Steps before the place whose result is kept; they are not called again. */
  kept: string[];
  /** Branches that the place lies in: their choice is kept. */
  open: string[];
  /** Approvals before the place: they are asked again, since each released one action of one run. */
  askedAgain: string[];
  /** The step itself and what comes after it. */
  again: string[];
};

/** Data of an ended run: the input of the step that another run continues from, or the result of an earlier step. */
export type DataPlace = { path: string; part: 'input' | 'output' };
/** The data of a continued run instead of the earlier one's. Digests are SHA-256 over the canonical form. */
export type DataChange = DataPlace & { value: Json; before: string; after: string };

/**
 * Plans a run that continues from the step at `from`, or from the beginning when it is null. `statuses` is the journal of the earlier run
 * by path. Null when that run never came to this step.
 */
export function planFork(document: WorkflowDocument, statuses: ReadonlyMap<string, StepStatus>, from: string | null): ForkPlan | null {
  const plan: ForkPlan = { kept: [], open: [], askedAgain: [], again: [] };
  let reached = from === null;
  for (const { step, path } of walkSteps(withoutCleanup(document.steps))) {
    const status = statuses.get(path);
    if (path === from) {
      if (status === undefined || status === 'skipped') return null;
      reached = true;
    }
    if (reached) {
      if (status !== 'skipped') plan.again.push(path);
    } else if (from?.startsWith(`${path}/`)) plan.open.push(path);
    else if (STEP_RULES[step.kind].askedAgain) plan.askedAgain.push(path);
    else if (status === 'success' || status === 'skipped' || (status === 'error' && step.onError === 'continue')) plan.kept.push(path);
    else if (status !== undefined) plan.again.push(path);
  }
  return reached ? plan : null;
}

/** The steps that a retry takes over from the run that ended. */
export type RetryPlan = {
  /** Steps whose result is kept. */
  kept: string[];
  /** Steps around failed ones: a choice among branches is kept. */
  open: string[];
  /** Steps that failed or were under way: each is continued where it can be, else begun again. */
  begun: string[];
};

/** Plans a run that does only what a failed or cancelled one has not done. Approvals are asked again, since each released one action of one run. */
export function planRetry(document: WorkflowDocument, statuses: ReadonlyMap<string, StepStatus>): RetryPlan {
  const plan: RetryPlan = { kept: [], open: [], begun: [] };
  for (const { step, path } of walkSteps(withoutCleanup(document.steps))) {
    const status = statuses.get(path);
    if (STEP_RULES[step.kind].askedAgain) continue;
    if (status === 'error' && step.onError !== 'continue') {
      if ('branches' in step && !STEP_RULES[step.kind].repeats) plan.open.push(path);
      else plan.begun.push(path);
    } else if (status === 'skipped') {
      // Steps that a failure had left out may run now.
      if (!plan.open.some((around) => path.startsWith(`${around}/`))) plan.kept.push(path);
    } else if (status === 'success' || status === 'error') plan.kept.push(path);
  }
  return plan;
}
