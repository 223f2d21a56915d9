import type { Json } from '#app/contracts/json.ts';
import type { CompiledPolicies } from '#app/engine/policy/compile-policies.ts';
import type { DecisionRequest } from '#app/engine/policy/decision-request.ts';
import { InputUnfit, inputFacts } from '#app/engine/policy/inputs/input-facts.ts';
import type { ToolInput } from '#app/engine/policy/inputs/input-type.ts';

/** The fields of a tool's input that the policies in force compare; null: none, or it is not as the tool's schema says, which refuses the call. */
export function calledInput({ tools }: CompiledPolicies, action: string, input: { [key: string]: Json }): DecisionRequest['input'] {
  const tool = tools.get(action);
  if (tool === undefined) return null;
  // a field that only rules in monitor mode ask for must not refuse the call
  return factsOf(tool.input, [...tool.paths, ...tool.monitored]) ?? factsOf(tool.input, tool.paths);

  function factsOf(type: ToolInput, paths: readonly (readonly string[])[]): DecisionRequest['input'] {
    try {
      return { action, ...inputFacts(type, input, paths) };
    } catch (error) {
      if (error instanceof InputUnfit) return null;
      throw error;
    }
  }
}
