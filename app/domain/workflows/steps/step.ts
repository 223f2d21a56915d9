import { z } from 'zod';
import type { StepKind } from '#app/contracts/statuses.ts';
import { type AgentStep, agentRules } from '#app/domain/workflows/steps/agent-step.ts';
import { type ApprovalStep, approvalRules } from '#app/domain/workflows/steps/approval-step.ts';
import { type BranchOf, type BranchStepOf, branchRules } from '#app/domain/workflows/steps/branch-step.ts';
import { type CleanupStepOf, cleanupRules } from '#app/domain/workflows/steps/cleanup-step.ts';
import { type CreateDocumentStep, createDocumentRules } from '#app/domain/workflows/steps/create-document-step.ts';
import { type ForEachStepOf, forEachRules } from '#app/domain/workflows/steps/for-each-step.ts';
import { type HttpStep, httpRules } from '#app/domain/workflows/steps/http-step.ts';
import { type HumanTaskStep, humanTaskRules } from '#app/domain/workflows/steps/human-task-step.ts';
import { type MessageStep, messageRules } from '#app/domain/workflows/steps/message-step.ts';
import { type ModelStep, modelRules } from '#app/domain/workflows/steps/model-step.ts';
import { type ReadDocumentStep, readDocumentRules } from '#app/domain/workflows/steps/read-document-step.ts';
import { type RepeatStepOf, repeatRules } from '#app/domain/workflows/steps/repeat-step.ts';
import type { StepCheck, StepRules } from '#app/domain/workflows/steps/step-rules.ts';
import { type SubWorkflowStep, subWorkflowRules } from '#app/domain/workflows/steps/sub-workflow-step.ts';
import { type ToolStep, toolRules } from '#app/domain/workflows/steps/tool-step.ts';
import { type TransformStep, transformRules } from '#app/domain/workflows/steps/transform-step.ts';
import { type TryStepOf, tryRules } from '#app/domain/workflows/steps/try-step.ts';
import { type WaitStep, waitRules } from '#app/domain/workflows/steps/wait-step.ts';

export type Branch = BranchOf<Step>;
/** An interface, since an alias may not refer to itself through a type argument. */
export interface BranchStep extends BranchStepOf<Step> {}
export interface ForEachStep extends ForEachStepOf<Step> {}
export interface RepeatStep extends RepeatStepOf<Step> {}
export interface TryStep extends TryStepOf<Step> {}
export interface CleanupStep extends CleanupStepOf<Step> {}
/** A step that calls a tool, an agent or a model. */
export type CallStep = Extract<Step, { capability: unknown }>;

interface StepTypes {
  tool: ToolStep;
  agent: AgentStep;
  model: ModelStep;
  http: HttpStep;
  approval: ApprovalStep;
  transform: TransformStep;
  branch: BranchStep;
  for_each: ForEachStep;
  repeat: RepeatStep;
  wait: WaitStep;
  try: TryStep;
  sub_workflow: SubWorkflowStep;
  message: MessageStep;
  cleanup: CleanupStep;
  human_task: HumanTaskStep;
  create_document: CreateDocumentStep;
  read_document: ReadDocumentStep;
}
export type StepOf<Kind extends StepKind> = StepTypes[Kind];
export type Step = StepTypes[StepKind];

/** A step of any kind. Lazy: a branch holds steps of any kind itself. */
export const stepSchema: z.ZodType<Step> = z.lazy(() => z.union(Object.values(STEP_RULES).map(({ schema }) => schema)));

/** The domain's table of the kinds of step: one line a kind, each in a file of its own beside this one. */
export const STEP_RULES: { readonly [Kind in StepKind]: StepRules<StepTypes[Kind]> } = {
  tool: toolRules,
  agent: agentRules,
  model: modelRules,
  http: httpRules,
  approval: approvalRules,
  transform: transformRules,
  branch: branchRules(stepSchema),
  for_each: forEachRules(stepSchema),
  repeat: repeatRules(stepSchema),
  wait: waitRules,
  try: tryRules(stepSchema),
  sub_workflow: subWorkflowRules,
  message: messageRules,
  cleanup: cleanupRules(stepSchema),
  human_task: humanTaskRules,
  create_document: createDocumentRules,
  read_document: readDocumentRules,
};

type OfKind<Kind extends StepKind> = StepTypes[Kind] & { kind: Kind };

/** The mappings of a step by name: the input of a call, or what an approver is shown. */
export function mappingsOf<Kind extends StepKind>(step: OfKind<Kind>): Readonly<Record<string, string>> {
  const kind: Kind = step.kind;
  return STEP_RULES[kind].mappings(step);
}

/** The members that the output of a step has by its kind. */
export function outputNamesOf<Kind extends StepKind>(step: OfKind<Kind>): readonly string[] {
  const kind: Kind = step.kind;
  return STEP_RULES[kind].outputNames(step);
}

/** Reports what is wrong with a step by the rules of its kind. */
export function checkStep<Kind extends StepKind>(step: OfKind<Kind>, at: StepCheck): void {
  const kind: Kind = step.kind;
  STEP_RULES[kind].check(step, at);
}
