import type { Json } from '#app/contracts/json.ts';
import { visibleJson } from '#app/domain/connections/hidden-text.ts';
import type { UnknownOutcome } from '#app/domain/workflows/repeatable-call.ts';
import { foldLists } from '#app/domain/workflows/steps/http-request.ts';
import type { ModelStep } from '#app/domain/workflows/steps/model-step.ts';
import type { CallStep, StepOf } from '#app/domain/workflows/steps/step.ts';
import type { DecisionRequest } from '#app/engine/policy/decision-request.ts';

type Input = { [key: string]: Json };

/** The differences between kinds of call, from the mapping to the peer. */
type CallKind<OneStep> = {
  /** The action that policies judge. */
  action: DecisionRequest['action'];
  /** The input as it is sent to the peer: models and agents read what a person reads, and a tool gets its input to the byte. */
  received(input: Input): Input;
  /** The step's own parameters for the call; part of the input, so that the decision and an approval cover them. */
  options(step: OneStep): Input;
  unknownOutcome(step: OneStep): UnknownOutcome;
};

const declared = (step: { unknownOutcome?: UnknownOutcome | undefined }): UnknownOutcome => step.unknownOutcome ?? 'fail';

/** The engine's table of the kinds of step that call a capability. */
const CALL_KINDS: { readonly [Kind in CallStep['kind']]: CallKind<StepOf<Kind>> } = {
  tool: { action: 'call_tool', received: (input) => input, options: () => ({}), unknownOutcome: declared },
  http: { action: 'call_tool', received: foldLists, options: () => ({}), unknownOutcome: declared },
  agent: { action: 'call_agent', received: visibleJson, options: () => ({}), unknownOutcome: declared },
  model: { action: 'call_model', received: visibleJson, options: modelOptions, unknownOutcome: () => 'repeat' },
};

function modelOptions(step: ModelStep): Input {
  return {
    ...(step.maxTokens === null ? {} : { maxTokens: step.maxTokens }),
    ...(step.temperature === null ? {} : { temperature: step.temperature }),
    ...(step.schema.trim() === '' ? {} : { schema: JSON.parse(step.schema) as Json }),
  };
}

export const actionOf = (step: CallStep): DecisionRequest['action'] => CALL_KINDS[step.kind].action;

export const receivedInput = (step: CallStep, input: Input): Input => CALL_KINDS[step.kind].received(input);

export function callOptions<Kind extends CallStep['kind']>(step: StepOf<Kind> & { kind: Kind }): Input {
  const kind: Kind = step.kind;
  return CALL_KINDS[kind].options(step);
}

export function unknownOutcomeOf<Kind extends CallStep['kind']>(step: StepOf<Kind> & { kind: Kind }): UnknownOutcome {
  const kind: Kind = step.kind;
  return CALL_KINDS[kind].unknownOutcome(step);
}
