import type { CedarValueJson, Context, EntityJson, StatefulAuthorizationCall, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import type { Explanation } from '#app/contracts/explanation.ts';
import { VERDICTS } from '#app/contracts/statuses.ts';
import { PROOFS } from '#app/domain/audit/policy-rule.ts';
import { cedar, SCHEMA_NAME } from '#app/engine/policy/cedar.ts';
import type { CompiledPolicies, CompiledRule, CompiledTool } from '#app/engine/policy/compile-policies.ts';
import {
  type Circumstances,
  type DecisionRequest,
  type DecisionResult,
  type DecisionRule,
  decisionRequestSchema,
} from '#app/engine/policy/decision-request.ts';
import { explainAllowed, explainCapabilityState, explainReleased, explainRule } from '#app/engine/policy/explain-decision.ts';
import { type AskedFacts, knowsAsked } from '#app/engine/policy/inputs/asked-facts.ts';
import { keptInput } from '#app/engine/policy/inputs/input-facts.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';
import { worldOf } from '#app/engine/policy/slicing/cedar-values.ts';
import { parsedSlice } from '#app/engine/policy/slicing/parsed-slices.ts';

const PERMIT = 'quorate.permit';
const BUILT_IN = 'quorate.capability_approved';
const BUILT_IN_RULE: DecisionRule = {
  policyId: 'quorate',
  policyName: 'Quorate',
  version: 0,
  rule: 'capability_approved',
  verdict: 'deny',
};

/**
 * Asks the policies in force whether a call may be made: the strictest rule that applies decides, and an approval of exactly this call by
 * someone other than the initiator releases what only asks for approval. Whatever cannot be read or evaluated is a deny. Synchronous, no
 * input or output, never throws.
 */
export function decide(compiled: CompiledPolicies, request: DecisionRequest): DecisionResult {
  const read = decisionRequestSchema.safeParse(request);
  if (!read.success)
    return {
      verdict: 'deny',
      rules: [],
      reason: { key: 'policyFactsMissing', values: {} },
      context: null,
      policyVersion: compiled.policyVersion,
    };
  try {
    return evaluate(compiled, read.data);
  } catch {
    return refuse(compiled, read.data, { key: 'policyFailed', values: namesOf(read.data) });
  }
}

function evaluate(compiled: CompiledPolicies, request: DecisionRequest): DecisionResult {
  const values = namesOf(request);
  if (compiled.unreadable !== null) {
    const { policyId, policyName, version } = compiled.unreadable;
    const rule: DecisionRule = { policyId, policyName, version, rule: '', verdict: 'deny' };
    return { ...refuse(compiled, request, { key: 'policyUnreadable', values: { ...values, policy: policyName } }), rules: [rule] };
  }
  const tool = toolOf(compiled, request);
  if (tool?.unfit) return refuseUnfit(compiled, request, tool.unfit);
  if (tool !== undefined && !covers(request.input, tool)) return refuse(compiled, request, { key: 'policyInputUnfit', values });
  const reasons = ask(compiled, request, tool);
  if (reasons === null) return refuse(compiled, request, { key: 'policyFailed', values });
  const applying = reasons.filter((id) => id !== BUILT_IN).map((id) => compiled.rules.get(id));
  if (applying.includes(undefined)) return refuse(compiled, request, { key: 'policyFailed', values });
  const known = applying.filter((rule) => rule !== undefined).sort(byStrictness);
  const monitored = known.filter((rule) => rule.monitors).map(decisionRule);
  const rules = known.filter((rule) => !rule.monitors);
  const changes = rules.flatMap((rule) => (rule.change === null ? [] : [{ change: rule.change, rule: decisionRule(rule) }]));
  const result = {
    ...(changes.length > 0 && { changes }),
    context: { ...decisionContext(request), ...(monitored.length > 0 && { monitored }) },
    policyVersion: compiled.policyVersion,
  };
  const isBuiltIn = reasons.includes(BUILT_IN);
  if (rules.length === 0 && !isBuiltIn) return { ...result, verdict: 'allow', rules: [], reason: explainAllowed(request) };
  if (isBuiltIn) {
    const denials = rules.filter((rule) => rule.verdict === 'deny');
    const reason = denials[0] === undefined ? explainCapabilityState(request) : explainRule(denials[0], request);
    return { ...result, verdict: 'deny', rules: [...(denials.length === 0 ? [BUILT_IN_RULE] : []), ...rules.map(decisionRule)], reason };
  }
  return { ...result, ...(settle(rules, request) ?? refuse(compiled, request, { key: 'policyFailed', values })) };
}

/** The called tool as the policies know it; undefined: no rule names it. */
function toolOf(compiled: CompiledPolicies, { action, connection, capability }: DecisionRequest): CompiledTool | undefined {
  return action === 'call_tool' ? compiled.tools.get(toolAction(connection.slug, capability.name)) : undefined;
}

function refuseUnfit(compiled: CompiledPolicies, request: DecisionRequest, rule: CompiledRule): DecisionResult {
  const values = { ...namesOf(request), policy: rule.source.policyName };
  return { ...refuse(compiled, request, { key: 'policyInputChanged', values }), rules: [{ ...decisionRule(rule), verdict: 'deny' }] };
}

/** Whether all is known that the rules ask for: a field of which nothing is known is not one that is absent. */
function covers(input: DecisionRequest['input'], { paths }: CompiledTool): boolean {
  return paths.every((path) => input?.paths.some((known) => known.every((name, at) => path[at] === name)) === true);
}

/** The rules that object, by Cedar's ids; empty: none does. Null: the question could not be answered in full. */
function ask(compiled: CompiledPolicies, request: DecisionRequest, tool: CompiledTool | undefined): string[] | null {
  const general = askSlice(compiled, callOf(compiled, request), { about: '', rules: compiled.general });
  if (general === null || tool === undefined) return general;
  // the rules that name the tool cannot be asked without its input: those that decide are not left out
  if (request.input === null) return tool.decides ? null : general;
  const { action } = request.input;
  const named = askSlice(compiled, callOfTool(compiled, request, request.input), { about: action, rules: tool.rules });
  return named === null ? null : [...new Set([...general, ...named])];
}

/** A question to Cedar. `isKnown`: it has all facts that the policies ask for. */
type Call = Pick<StatefulAuthorizationCall, 'context' | 'entities'> & {
  principal: TypeAndId;
  action: TypeAndId;
  resource: TypeAndId;
  isApproved: boolean;
  isKnown: boolean;
  isValidated: boolean;
};

function callOf(compiled: CompiledPolicies, request: DecisionRequest): Call {
  return {
    principal: { type: 'Member', id: request.initiator.id },
    action: { type: 'Action', id: request.action },
    resource: { type: 'Capability', id: request.capability.id },
    context: cedarContext(compiled, request),
    entities: entitiesOf(request),
    isApproved: request.capability.state === 'approved',
    isKnown: knowsAsked(compiled.asked, request.circumstances),
    isValidated: true,
  };
}

/** The same about the tool itself, with its input, whose types were checked when its facts were taken from it. */
function callOfTool(compiled: CompiledPolicies, request: DecisionRequest, input: NonNullable<DecisionRequest['input']>): Call {
  const call = callOf(compiled, request);
  const action = { type: 'Action', id: input.action };
  return {
    ...call,
    action,
    context: { ...withoutNobody(call.context, request), input: input.record },
    entities: [...call.entities, { uid: action, attrs: {}, parents: [call.action] }],
    isValidated: false,
  };
}

/**
 * The rules that apply. Cedar is asked those of which nobody can tell without it. Of a call without all circumstances that is every rule: one
 * that asks for them fails, which refuses.
 */
function askSlice(
  compiled: CompiledPolicies,
  { principal, action, resource, context, entities, isApproved, isKnown, isValidated }: Call,
  { about, rules }: { about: string; rules: ReadonlyMap<string, CompiledRule> },
): string[] | null {
  const world = worldOf({ principal, action, resource, context, entities });
  const applying: string[] = [];
  const open: [string, CompiledRule][] = [];
  for (const one of rules) {
    const applies = isKnown ? one[1].foresee(world) : null;
    if (applies === null) open.push(one);
    else if (applies) applying.push(one[0]);
  }
  if (isKnown && isApproved && open.length === 0) return applying;
  const setName = parsedSlice(`${compiled.policyVersion}/${about}`, rules, open);
  if (setName === null) return null;
  const answer = cedar().statefulIsAuthorized({
    ...{ principal, action, resource, context, entities },
    // an old decision lacks some circumstances: without the schema a rule that asks for one of them fails, and the others still decide
    ...(isKnown && isValidated ? { preparsedSchemaName: SCHEMA_NAME, validateRequest: true } : {}),
    preparsedPolicySetId: setName,
  });
  // with an error in one rule Cedar still answers without it: such an answer must not count, unless that rule decides nothing
  if (answer.type === 'failure') return null;
  if (answer.response.diagnostics.errors.some(({ policyId }) => compiled.rules.get(policyId)?.monitors !== true)) return null;
  const { decision, diagnostics } = answer.response;
  if (decision === 'deny') return diagnostics.reason.length === 0 ? null : [...new Set([...applying, ...diagnostics.reason])];
  return diagnostics.reason.length === 1 && diagnostics.reason[0] === PERMIT ? applying : null;
}

/** The strictest rule, or, after an approval, the strictest of the rest. Null: Cedar denied and named no rule. */
function settle(
  rules: readonly CompiledRule[],
  request: DecisionRequest,
): Pick<DecisionResult, 'verdict' | 'rules' | 'reason' | 'terms'> | null {
  const [strictest] = rules;
  if (strictest === undefined) return null;
  const decisionRules = rules.map(decisionRule);
  const asked = termsOf(rules, strictest);
  // approved when less was asked for: nothing would ask again, so the call is not made
  if (isReleased(request) && (request.approval?.approvedBy.length ?? 0) < (asked.terms?.quorum ?? 1))
    return { verdict: 'deny', rules: decisionRules, reason: explainRule(strictest, request) };
  if (strictest.verdict !== 'require_approval' || !isReleased(request))
    return { verdict: strictest.verdict, rules: decisionRules, reason: explainRule(strictest, request), ...asked };
  return {
    verdict: (['transform', 'warn'] as const).find((verdict) => rules.some((rule) => rule.verdict === verdict)) ?? 'allow',
    rules: decisionRules,
    reason: explainReleased(strictest, request),
  };
}

/** The strictest terms of all rules that ask for an approval: the most approvers, the shortest time, every group, the strongest proof. */
function termsOf(rules: readonly CompiledRule[], { verdict }: CompiledRule): Pick<DecisionResult, 'terms'> {
  if (verdict !== 'require_approval') return {};
  const asking = rules.filter((rule) => rule.verdict === verdict);
  const hours = asking.flatMap(({ dueHours }) => (dueHours === null ? [] : [dueHours]));
  const role = asking.find(({ deciders }) => deciders !== null)?.deciders ?? null;
  const groups = [...new Set(asking.flatMap(({ group }) => (group === null ? [] : [group])))].sort();
  const proof = PROOFS.findLast((one) => asking.some(({ reauthenticate }) => reauthenticate === one));
  return {
    terms: {
      quorum: Math.max(1, ...asking.map(({ approvers }) => approvers ?? 1)),
      dueHours: hours.length === 0 ? null : Math.min(...hours),
      ...(role !== null && { role }),
      ...(groups.length > 0 && { groups }),
      ...(proof !== undefined && { reauthenticate: proof }),
    },
  };
}

function isReleased(request: DecisionRequest): boolean {
  const approvedBy = request.approval?.approvedBy ?? [];
  return approvedBy.length > 0 && !approvedBy.includes(request.initiator.id);
}

function byStrictness(a: CompiledRule, b: CompiledRule): number {
  return VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict) || (a.source.policyId + a.id < b.source.policyId + b.id ? -1 : 1);
}

function decisionRule(rule: CompiledRule): DecisionRule {
  return {
    policyId: rule.source.policyId,
    policyName: rule.source.policyName,
    version: rule.source.version,
    rule: rule.id,
    verdict: rule.verdict,
  };
}

function cedarContext({ asked }: CompiledPolicies, { mode, facts, circumstances, approval }: DecisionRequest): Context {
  const given = { mode, personalData: [...facts.personalData], risk: facts.risk, findings: facts.findings };
  const known = circumstances === null ? given : { ...given, ...cedarCircumstances(circumstances), ...lateFacts(asked, circumstances) };
  if (approval === undefined || approval.approvedBy.length === 0) return known;
  return { ...known, approvedBy: approval.approvedBy.map((id) => ({ __entity: { type: 'Member', id } })) };
}

/** Rules that name a tool are not told that nobody was ever paid where its input names nobody: one that asks fails, which refuses. */
function withoutNobody(context: Context, { circumstances }: DecisionRequest): Context {
  if (circumstances?.payee !== null) return context;
  const { callsToPayee: _, ...known } = context;
  return known;
}

/** Facts that not every decision has: where no rule asks for them anything may stand for them, and where one does nothing may. */
function lateFacts(asked: AskedFacts, { approvalsInRun, outside }: Circumstances): Context {
  const { groups, callsToday, costTodayMicros, callsToPayee } = outside ?? { ...NOTHING_OUTSIDE };
  return {
    ...(approvalsInRun === undefined && asked.approvals ? {} : { approvalsInRun: approvalsInRun ?? 0 }),
    ...(outside === undefined && asked.outside
      ? {}
      : { callsToday, costToday: dollars(costTodayMicros), callsToPayee, initiatorGroups: spelled(groups) }),
  };
}

const NOTHING_OUTSIDE = { groups: [], callsToday: 0, costTodayMicros: 0, callsToPayee: 0 };
const spelled = (groups: readonly string[]) => [...new Set(groups.flatMap((name) => [name, name.toLowerCase()]))];

/** Cedar's decimals have four digits: what is left of a cent's hundredth counts as a whole one. */
const dollars = (micros: number): CedarValueJson => ({
  __extn: { fn: 'decimal', arg: (Math.ceil(micros / 100) / 10_000).toFixed(4) },
});

function cedarCircumstances({ workflow, agent, requesterIsAuthor, time, callsInRun, costInRunMicros }: Circumstances): Context {
  const { weekday, date, hour } = time;
  return {
    workflow,
    agent,
    requesterIsAuthor,
    now: { __extn: { fn: 'datetime', arg: time.at } },
    weekday,
    date,
    hour,
    callsInRun,
    costInRun: dollars(costInRunMicros),
  };
}

function entitiesOf({ initiator, connection, capability, circumstances }: DecisionRequest): EntityJson[] {
  const at = { type: 'Connection', id: connection.id };
  const { slug, kind, personalDataAllowed, builtin } = connection;
  const host: Context = circumstances === null ? {} : { host: circumstances.host };
  return [
    { uid: { type: 'Member', id: initiator.id }, attrs: {}, parents: initiator.roles.map((id) => ({ type: 'Role', id })) },
    { uid: at, attrs: { slug, kind, ...host, personalDataAllowed, builtin }, parents: [] },
    {
      uid: { type: 'Capability', id: capability.id },
      attrs: { name: capability.name, kind: capability.kind, state: capability.state, connection: { __entity: at } },
      parents: [],
    },
  ];
}

/** A refusal because the policies gave no answer. */
export function refusedAsFailed(compiled: CompiledPolicies, request: DecisionRequest): DecisionResult {
  return refuse(compiled, request, { key: 'policyFailed', values: namesOf(request) });
}

function refuse(compiled: CompiledPolicies, request: DecisionRequest, reason: Explanation): DecisionResult {
  return { verdict: 'deny', rules: [], reason, context: decisionContext(request), policyVersion: compiled.policyVersion };
}

function decisionContext({
  input,
  mode,
  initiator,
  connection,
  capability,
  facts,
  circumstances,
  approval,
}: DecisionRequest): NonNullable<DecisionResult['context']> {
  return {
    mode,
    initiatorId: initiator.id,
    roles: [...initiator.roles],
    connection: connection.slug,
    connectionId: connection.id,
    capability: capability.name,
    capabilityId: capability.id,
    capabilityState: capability.state,
    personalDataAllowed: connection.personalDataAllowed,
    builtin: connection.builtin,
    personalData: [...facts.personalData],
    risk: facts.risk,
    findings: facts.findings,
    circumstances,
    ...(input === null ? {} : { input: keptInput(input.action, input) }),
    approvalId: approval?.id ?? null,
    approvedBy: [...(approval?.approvedBy ?? [])],
  };
}

function namesOf({ capability, connection }: DecisionRequest): Explanation['values'] {
  return { capability: capability.name, connection: connection.slug };
}
