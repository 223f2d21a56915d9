import type { StepKind } from '#app/contracts/statuses.ts';
import type { StepOf } from '#app/domain/workflows/steps/step.ts';
import { type Outcome, type RunExecution, recall } from '#app/engine/runs/run-execution.ts';
import { runAgentStep } from '#app/engine/runs/steps/agent-step.ts';
import { runApprovalStep } from '#app/engine/runs/steps/approval-step.ts';
import { runBranchStep } from '#app/engine/runs/steps/branch-step.ts';
import { runCreateDocumentStep } from '#app/engine/runs/steps/documents/create-document-step.ts';
import { runReadDocumentStep } from '#app/engine/runs/steps/documents/read-document-step.ts';
import { runCleanupStep } from '#app/engine/runs/steps/errors/cleanup-step.ts';
import { runTryStep } from '#app/engine/runs/steps/errors/try-step.ts';
import { runHumanTaskStep } from '#app/engine/runs/steps/human-task-step.ts';
import { runForEachStep } from '#app/engine/runs/steps/loops/for-each-step.ts';
import { runRepeatStep } from '#app/engine/runs/steps/loops/repeat-step.ts';
import { runMessageStep } from '#app/engine/runs/steps/message-step.ts';
import { runActivity } from '#app/engine/runs/steps/run-activity.ts';
import type { RunSequence, StepRunner } from '#app/engine/runs/steps/step-runner.ts';
import { runSubWorkflowStep } from '#app/engine/runs/steps/sub-workflow-step.ts';
import { runTransformStep } from '#app/engine/runs/steps/transform-step.ts';
import { runWaitStep } from '#app/engine/runs/steps/wait-step.ts';

/** The engine's table of the kinds of step: one line a kind. */
const STEP_RUNNERS: { readonly [Kind in StepKind]: StepRunner<StepOf<Kind>> } = {
  tool: { run: (execution, step, path) => runActivity(execution, step, path), revisited: false },
  agent: { run: runAgentStep, revisited: false },
  model: { run: (execution, step, path) => runActivity(execution, step, path), revisited: false },
  http: { run: (execution, step, path) => runActivity(execution, step, path), revisited: false },
  approval: { run: runApprovalStep, revisited: false },
  transform: { run: runTransformStep, revisited: false },
  wait: { run: runWaitStep, revisited: true },
  try: { run: runTryStep, revisited: true },
  sub_workflow: { run: runSubWorkflowStep, revisited: false },
  message: { run: runMessageStep, revisited: false },
  cleanup: { run: runCleanupStep, revisited: false },
  human_task: { run: runHumanTaskStep, revisited: false },
  create_document: { run: runCreateDocumentStep, revisited: false },
  read_document: { run: runReadDocumentStep, revisited: false },
  branch: { run: runBranchStep, revisited: true },
  for_each: { run: runForEachStep, revisited: false },
  repeat: { run: runRepeatStep, revisited: false },
};

/** Whether an ended step of this kind is entered again, so that its result comes from the steps inside it. */
export const isRevisited = (kind: StepKind): boolean => STEP_RUNNERS[kind].revisited;

/** Runs one step by its kind. A completed step never runs again: the journal's word on it stands. */
export async function runStep<Kind extends StepKind>(
  execution: RunExecution,
  step: StepOf<Kind> & { kind: Kind },
  path: string,
  runSequence: RunSequence,
): Promise<Outcome> {
  const kind: Kind = step.kind;
  const runner = STEP_RUNNERS[kind];
  const known = runner.revisited ? null : recall(execution, step, path);
  const outcome = known ?? (await runner.run(execution, step, path, runSequence));
  if (outcome.kind === 'wait') execution.waiting.add(path);
  return outcome;
}
