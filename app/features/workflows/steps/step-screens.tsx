import type { StepKind } from '#app/contracts/statuses.ts';
import type { StepOf } from '#app/domain/workflows/steps/step.ts';
import { agentScreen } from '#app/features/workflows/steps/agent/agent-screen.tsx';
import { approvalScreen } from '#app/features/workflows/steps/approval/approval-screen.tsx';
import { branchScreen } from '#app/features/workflows/steps/branch/branch-screen.tsx';
import { cleanupScreen } from '#app/features/workflows/steps/cleanup/cleanup-screen.tsx';
import { createDocumentScreen } from '#app/features/workflows/steps/create-document/create-document-screen.tsx';
import { forEachScreen } from '#app/features/workflows/steps/for-each/for-each-screen.tsx';
import { httpScreen } from '#app/features/workflows/steps/http/http-screen.tsx';
import { humanTaskScreen } from '#app/features/workflows/steps/human-task/human-task-screen.tsx';
import { messageScreen } from '#app/features/workflows/steps/message/message-screen.tsx';
import { modelScreen } from '#app/features/workflows/steps/model/model-screen.tsx';
import { readDocumentScreen } from '#app/features/workflows/steps/read-document/read-document-screen.tsx';
import { repeatScreen } from '#app/features/workflows/steps/repeat/repeat-screen.tsx';
import type { StepFormProps, StepScreen } from '#app/features/workflows/steps/step-screen.ts';
import { subWorkflowScreen } from '#app/features/workflows/steps/sub-workflow/sub-workflow-screen.tsx';
import { toolScreen } from '#app/features/workflows/steps/tool/tool-screen.tsx';
import { transformScreen } from '#app/features/workflows/steps/transform/transform-screen.tsx';
import { tryScreen } from '#app/features/workflows/steps/try/try-screen.tsx';
import { waitScreen } from '#app/features/workflows/steps/wait/wait-screen.tsx';

/** The editor's table of the kinds of step: one line a kind, each in a folder of its own. */
export const STEP_SCREENS: { readonly [Kind in StepKind]: StepScreen<StepOf<Kind>> } = {
  tool: toolScreen,
  agent: agentScreen,
  model: modelScreen,
  http: httpScreen,
  approval: approvalScreen,
  transform: transformScreen,
  branch: branchScreen,
  for_each: forEachScreen,
  repeat: repeatScreen,
  wait: waitScreen,
  try: tryScreen,
  sub_workflow: subWorkflowScreen,
  message: messageScreen,
  cleanup: cleanupScreen,
  human_task: humanTaskScreen,
  create_document: createDocumentScreen,
  read_document: readDocumentScreen,
};

type OfKind<Kind extends StepKind> = StepOf<Kind> & { kind: Kind };

/** One step, in full. Each kind has its own fields; what all share stands below. */
export function StepForm<Kind extends StepKind>({ step, ...rest }: Omit<StepFormProps, 'step'> & { step: OfKind<Kind> }) {
  const kind: Kind = step.kind;
  const { Form } = STEP_SCREENS[kind];
  return <Form step={step} {...rest} />;
}

/** The step that a submitted form describes, of the same kind as the edited one. */
export function stepFromForm<Kind extends StepKind>(
  before: OfKind<Kind>,
  values: Parameters<StepScreen<StepOf<Kind>>['read']>[0],
): StepOf<Kind> {
  const kind: Kind = before.kind;
  return STEP_SCREENS[kind].read(values, before);
}
