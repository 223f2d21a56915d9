import type { Json } from '#app/contracts/json.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { placesBeside } from '#app/domain/workflows/paths/places-beside.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/** The parts that a run which continues from a step takes over. Paths are those of the journal, in the order of the outline. */
export type ForkPlan = {
  /** Steps before the place whose result is kept; they are not called again. */
  kept: string[];
  /** Branches that the place lies in: their choice is kept. */
  open: string[];
  /** Approvals before the place or beside it: they are asked again, since each released one action of one run. */
  askedAgain: string[];
  /** The step itself, what comes after it, and what beside it has not been done. */
  again: string[];
  /** Of these, steps beside the place that failed or were under way: each is continued where it can be, else begun again. */
  begun: string[];
};

/** Data of an ended run: the input of the step that another run continues from, or the result of an earlier step. */
export type DataPlace = { path: string; part: 'input' | 'output' };
/** The data of a continued run instead of the earlier one's. Digests are SHA-256 over the canonical form. */
export type DataChange = DataPlace & { value: Json; before: string; after: string };

/**
 * Plans a run that continues from the step at `from`, or from the beginning when it is null. `statuses` is the journal of the earlier run
 * by path. Branches that run at the same time as the place are continued, as nothing in them comes after it; where data is `changed`, they are
 * done again. Null when that run never came to this step.
 */
export function planFork(
  document: WorkflowDocument,
  statuses: ReadonlyMap<string, StepStatus>,
  from: string | null,
  changed = false,
): ForkPlan | null {
  const plan: ForkPlan = { kept: [], open: [], askedAgain: [], again: [], begun: [] };
  const beside = changed ? [] : placesBeside(document.steps, from ?? '');
  const rest: RetryPlan = { kept: [], open: [], begun: [] };
  let reached = from === null;
  for (const { step, path } of walkSteps(withoutCleanup(document.steps))) {
    const status = statuses.get(path);
    if (path === from) {
      if (status === undefined || status === 'skipped') return null;
      reached = true;
    }
    if (beside.some((place) => path.startsWith(`${place}/`))) {
      if (STEP_RULES[step.kind].askedAgain) plan.askedAgain.push(path);
      else if (!planRest(rest, step, path, status) && !rest.kept.some((around) => path.startsWith(`${around}/`))) plan.again.push(path);
    } else if (reached) {
      if (status !== 'skipped') plan.again.push(path);
    } else if (from?.startsWith(`${path}/`)) plan.open.push(path);
    else if (STEP_RULES[step.kind].askedAgain) plan.askedAgain.push(path);
    else if (status === 'success' || status === 'skipped' || (status === 'error' && step.onError === 'continue')) plan.kept.push(path);
    else if (status !== undefined) plan.again.push(path);
  }
  if (!reached) return null;
  return { ...plan, kept: [...plan.kept, ...rest.kept], open: [...plan.open, ...rest.open], begun: rest.begun };
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
  for (const { step, path } of walkSteps(withoutCleanup(document.steps)))
    if (!STEP_RULES[step.kind].askedAgain) planRest(plan, step, path, statuses.get(path));
  return plan;
}

/** Puts a step where it belongs, given what became of it. Returns whether its result is kept, or its choice among branches. */
function planRest(plan: RetryPlan, step: Step, path: string, status: StepStatus | undefined): boolean {
  if (status === 'error' && step.onError !== 'continue') {
    const holds = 'branches' in step && !STEP_RULES[step.kind].repeats;
    (holds ? plan.open : plan.begun).push(path);
    return holds;
  }
  // Steps that a failure had left out may run now.
  const left = status === 'skipped' && plan.open.some((around) => path.startsWith(`${around}/`));
  if (left || (status !== 'success' && status !== 'skipped' && status !== 'error')) return false;
  plan.kept.push(path);
  return true;
}
