import type { Explanation } from '#app/contracts/explanation.ts';
import type { FieldChange } from '#app/domain/audit/field-change.ts';
import type { CapabilityState } from '#app/domain/connections/capability-state.ts';
import type { CompiledRule } from '#app/engine/policy/compile-policies.ts';
import type { DecisionRequest, DecisionRule } from '#app/engine/policy/decision-request.ts';

const STATE_KEYS: Record<Exclude<CapabilityState, 'approved'>, string> = {
  pending: 'policyCapabilityPending',
  changed: 'policyCapabilityChanged',
  removed: 'policyCapabilityRemoved',
};

function names(request: DecisionRequest): Explanation['values'] {
  return { capability: request.capability.name, connection: request.connection.slug };
}

/** Why a capability may not be called in its present state, whatever the policies say. */
export function explainCapabilityState(request: DecisionRequest): Explanation {
  const state = request.capability.state;
  if (state === 'approved') return { key: 'policyFailed', values: names(request) };
  return { key: STATE_KEYS[state], values: names(request) };
}

/**
 * The sentence of a rule that determined the decision. The shipped policies name a key in `@reason`, so that theirs is read in
 * every language; anything else is the author's own sentence.
 */
export function explainRule(rule: CompiledRule, request: DecisionRequest): Explanation {
  const values = { ...names(request), policy: rule.source.policyName };
  if (rule.reason === 'policyCapabilityNotApproved') return { ...explainCapabilityState(request), values };
  if (rule.reason === 'policyPersonalDataLeaves')
    return { key: rule.reason, values: { ...values, kinds: request.facts.personalData.join(', ') } };
  if (rule.reason === 'policyHighRiskNeedsApprover') return { key: rule.reason, values };
  return { key: 'policyStated', values: { ...values, statement: rule.reason } };
}

export function explainAllowed(request: DecisionRequest): Explanation {
  return { key: 'policyAllowed', values: names(request) };
}

/** Names what was changed, and never what it was. */
export function explainTransformed(rules: readonly DecisionRule[], fields: readonly FieldChange[], request: DecisionRequest): Explanation {
  const policies = [...new Set(rules.map(({ policyName }) => policyName))].join(', ');
  return {
    key: 'policyTransformed',
    values: { ...names(request), policy: policies, fields: fields.map(({ path }) => path.join('.')).join(', ') },
  };
}

export function explainReleased(rule: CompiledRule, request: DecisionRequest): Explanation {
  return { key: 'policyReleased', values: { ...names(request), policy: rule.source.policyName } };
}
