import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { Outcome, RunExecution } from '#app/engine/runs/run-execution.ts';

/** Runs steps one after another; `prefix` is the path of the list that they stand in. */
export type RunSequence = (execution: RunExecution, steps: readonly Step[], prefix: string) => Promise<Outcome>;

/** How the engine takes a step of one kind as far as it comes now. */
export type StepRunner<OneStep> = {
  /** Must come to the same point when it is run again after a wait, a kill or a takeover: what the journal knows is not done twice. */
  run(execution: RunExecution, step: OneStep, path: string, runSequence: RunSequence): Promise<Outcome>;
  /** Whether it is entered again on a later walk although it has ended, so that the steps inside it give expressions their outputs. */
  revisited: boolean;
};
