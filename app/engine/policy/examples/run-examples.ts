import type { Explanation } from '#app/contracts/explanation.ts';
import type { Verdict } from '#app/contracts/statuses.ts';
import type { PolicyExample } from '#app/domain/audit/policy-example.ts';
import { RULE_ACTIONS, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { type Asking, decideChanging } from '#app/engine/policy/decide-changing.ts';
import type { ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';

/** `verdict`: what the policy says by itself. `passes`: it is the expected one, and its rules said it. */
export type ExampleResult = { example: PolicyExample; verdict: Verdict; reason: Explanation; passes: boolean };

/** Refusals that no rule decided: the policy could not answer. */
const NO_ANSWER: readonly string[] = ['policyUnreadable', 'policyFailed', 'policyInputUnfit', 'policyInputChanged', 'policyFactsMissing'];
const KINDS = { call_tool: ['mcp', 'tool'], call_agent: ['a2a', 'skill'], call_model: ['model', 'model'] } as const;
/** A Monday: examples name a day of the week, and rules may ask for its date. */
const MONDAY = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;

/** Decides the examples of a policy by its own text alone, for tools with these schemas. Never throws. */
export function runExamples(text: string, examples: readonly PolicyExample[], tools: ToolSchemas): ExampleResult[] {
  if (examples.length === 0) return [];
  const compiled = compilePolicies([{ policyId: 'examples', policyName: '', version: 0, text }], tools);
  return examples.map((example) => {
    const { decision, approved } = decideChanging(compiled, exampleRequest(example), example.input);
    const { verdict, reason } = example.approvals === 0 ? decision : approved(approvalOf(example));
    return { example, verdict, reason, passes: verdict === example.expected && !NO_ANSWER.includes(reason.key) };
  });
}

/** The first that does not pass; null: all do. */
export function failingExample(text: string, examples: readonly PolicyExample[], tools: ToolSchemas): PolicyExample | null {
  return runExamples(text, examples, tools).find(({ passes }) => !passes)?.example ?? null;
}

const approvalOf = ({ approvals }: PolicyExample) => ({
  id: 'approval',
  approvedBy: Array.from({ length: approvals }, (_, index) => `approver-${index + 1}`),
});

function exampleRequest(example: PolicyExample): Asking {
  const action = RULE_ACTIONS.find((known) => known === example.call) ?? 'call_tool';
  const [slug = '', ...names] = example.call.split('/');
  const isTool = names.length > 0;
  const [connectionKind, kind] = KINDS[action];
  const { requesterIsAuthor, agent, host, weekday, hour, callsInRun, costInRun, approvalsInRun } = example;
  const { groups, callsToday, costToday, callsToPayee } = example;
  const at = new Date(MONDAY + (WEEKDAYS.indexOf(weekday) * 24 + hour) * HOUR_MS).toISOString();
  return {
    workspaceId: 'example',
    runId: 'example',
    mode: example.mode,
    initiator: { id: 'requester', roles: [example.role] },
    action,
    connection: {
      id: 'connection',
      slug: isTool ? slug : example.connection,
      kind: connectionKind,
      personalDataAllowed: example.personalDataAllowed,
      builtin: example.builtin,
    },
    capability: { id: 'capability', name: isTool ? names.join('/') : example.capability, kind, state: 'approved' },
    facts: { personalData: example.personalData, risk: example.risk, findings: example.findings },
    circumstances: {
      workflow: { id: example.workflow || 'workflow', name: '' },
      ...{ agent, requesterIsAuthor, host, callsInRun },
      time: { at, zone: 'UTC', weekday, date: at.slice(0, 10), hour },
      costInRunMicros: Math.round(costInRun * 1_000_000),
      approvalsInRun,
      outside: { groups, callsToday, costTodayMicros: Math.round(costToday * 1_000_000), callsToPayee },
    },
  };
}
