import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { applyChanges, type FieldChange } from '#app/domain/audit/field-change.ts';
import { personalDataKinds } from '#app/engine/personal-data/find-personal-data.ts';
import type { CompiledPolicies } from '#app/engine/policy/compile-policies.ts';
import { decide, refusedAsFailed } from '#app/engine/policy/decide.ts';
import type { DecisionRequest, DecisionResult, DecisionRule } from '#app/engine/policy/decision-request.ts';
import { explainTransformed } from '#app/engine/policy/explain-decision.ts';
import { calledInput } from '#app/engine/policy/inputs/called-input.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';

type Input = { [key: string]: Json };
/** A request before its input is read: what rules see of that, and which personal data besides that named here, follows from what will be sent. */
export type Asking = Omit<DecisionRequest, 'input' | 'approval'>;
/** `input`: as it may be sent. `fields`: what rules changed in it. `approved`: the decision once exactly this call is approved. */
export type ChangingDecision = {
  decision: DecisionResult;
  input: Input;
  fields: FieldChange[];
  approved: (approval: NonNullable<DecisionRequest['approval']>) => DecisionResult;
};

/** Rules that change what others change: after so many rounds they are taken not to agree, and the call is refused. */
const MAX_ROUNDS = 8;

/**
 * Decides a call whose input rules may change first: the policies are asked about the input as it will be sent, until no rule changes it any
 * more. Throws what cannot be judged, as `personalDataKinds` does.
 */
export function decideChanging(compiled: CompiledPolicies, asking: Asking, input: Input): ChangingDecision {
  const action = toolAction(asking.connection.slug, asking.capability.name);
  const requestOf = (given: Input): DecisionRequest => ({
    ...asking,
    facts: { ...asking.facts, personalData: [...new Set([...asking.facts.personalData, ...personalDataKinds(given)])] },
    input: asking.action === 'call_tool' ? calledInput(compiled, action, given) : null,
  });
  const fields: FieldChange[] = [];
  const rules = new Map<string, DecisionRule>();
  let given = input;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const request = requestOf(given);
    const decision = decide(compiled, request);
    const changes = decision.changes ?? [];
    const next = applyChanges(
      given,
      changes.map(({ change }) => change),
    );
    if (changes.length === 0 || canonicalJson(next) === canonicalJson(given)) {
      const finish = (result: DecisionResult) =>
        fields.length === 0 ? result : withChanges(result, request, { fields, rules: [...rules.values()] });
      const approved: ChangingDecision['approved'] = (approval) => finish(decide(compiled, { ...request, approval }));
      return { decision: finish(decision), input: given, fields, approved };
    }
    for (const { change, rule } of changes) {
      rules.set(`${rule.policyId}#${rule.rule}`, rule);
      if (!fields.some((one) => canonicalJson(one) === canonicalJson(change))) fields.push(change);
    }
    given = next;
  }
  const refused = refusedAsFailed(compiled, requestOf(input));
  return { decision: refused, input, fields: [], approved: () => refused };
}

function withChanges(
  result: DecisionResult,
  request: DecisionRequest,
  { fields, rules }: { fields: readonly FieldChange[]; rules: readonly DecisionRule[] },
): DecisionResult {
  const others = result.rules.filter((one) => !rules.some((rule) => rule.policyId === one.policyId && rule.rule === one.rule));
  const all = [...others, ...rules].sort(
    (a, b) =>
      Number(b.verdict === 'require_approval' || b.verdict === 'deny') - Number(a.verdict === 'require_approval' || a.verdict === 'deny'),
  );
  if (result.verdict === 'deny' || result.verdict === 'require_approval') return { ...result, rules: all };
  return { ...result, rules: all, verdict: 'transform', reason: explainTransformed(rules, fields, request) };
}
