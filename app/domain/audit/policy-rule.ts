import type { Role } from '#app/contracts/people.ts';
import type { FieldChange } from '#app/domain/audit/field-change.ts';
import type { InputCondition } from '#app/domain/audit/rule-input.ts';

/** The conditions that the form offers; the Cedar schema knows more, which stays text. */
export const CONDITION_TESTS = [
  'personalData',
  'personalDataKind',
  'riskHigh',
  'riskMedium',
  'riskLow',
  'findingsAtLeast',
  'connectionApproved',
  'connectionBuiltIn',
  'connectionIs',
  'mcp',
  'a2a',
  'model',
  'app',
  'nameIs',
  'stateApproved',
  'stateChanged',
  'statePending',
  'stateRemoved',
  'modeLive',
  'modeTest',
  'somebodyApproved',
  'workflowIs',
  'agentIs',
  'hostIs',
  'requesterIsAuthor',
  'weekdayIs',
  'hourAtLeast',
  'callsAtLeast',
  'costAtLeast',
  'approvalsAtLeast',
  'groupIs',
  'newPayee',
  'payeeCallsAtLeast',
  'callsTodayAtLeast',
  'costTodayAtLeast',
] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

export const RULE_ACTIONS = ['call_tool', 'call_agent', 'call_model'] as const;
export const RULE_VERDICTS = ['deny', 'require_approval', 'warn', 'transform'] as const;
/** Of letters that a decision may keep as the rule's name. */
export const RULE_ID = /^[a-z][a-z0-9_.-]{0,59}$/;
export const RULE_REASON_MAX = 300;
/** Characters of what a condition compares with. */
export const RULE_VALUE_MAX = 200;
/** The most that a condition counts to. */
export const COUNT_MAX = {
  ...{ findingsAtLeast: 999_999, hourAtLeast: 23, callsAtLeast: 999_999 },
  ...{ approvalsAtLeast: 999_999, payeeCallsAtLeast: 999_999, callsTodayAtLeast: 999_999 },
} as const;
/** Tests of an amount in US dollars. */
export const COST_TESTS = ['costAtLeast', 'costTodayAtLeast'] as const;
export const isCost = (test: ConditionTest): test is (typeof COST_TESTS)[number] => COST_TESTS.some((one) => one === test);
/** US dollars of an amount, without needless zeros. */
export const RULE_COST = /^(?:0|[1-9]\d{0,8})(?:\.\d{0,3}[1-9])?$/;
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export function isCounted(test: ConditionTest): test is keyof typeof COUNT_MAX {
  return Object.hasOwn(COUNT_MAX, test);
}

/** `value` is what a test compares with: a name, an id, a weekday, a whole number or an amount; empty for the others. */
export type RuleCondition = { test: ConditionTest; holds: boolean; value: string };

/** Bounds of what a rule asks of an approval: how many approvers, and hours until it is due. */
export const APPROVERS_MAX = 9;
export const DUE_HOURS_MAX = 720;
/** The role that decides in place of approvers. */
export const DECIDERS = ['admin'] as const;
export type Deciders = (typeof DECIDERS)[number];
/** How who approves proves that it is them, whatever the risk: with their password, and in a session that has shown a second factor. */
export const PROOFS = ['password', 'factor'] as const;
export type Proof = (typeof PROOFS)[number];
/** Characters of a group's name, as a directory has it. */
export const GROUP_MAX = 254;

/**
 * One rule as the form shows it: all conditions must be met. No action and no role stand for all of them. A rule about one `tool`,
 * `connection/tool`, names no action, and may have conditions on its input.
 */
export type RuleForm = {
  id: string;
  verdict: (typeof RULE_VERDICTS)[number];
  reason: string;
  role: Role | '';
  actions: readonly (typeof RULE_ACTIONS)[number][];
  tool: string;
  conditions: readonly RuleCondition[];
  inputs: readonly InputCondition[];
  /** Of an approval that it asks for, as whole numbers; empty: one approver, and the usual time. */
  approvers: string;
  dueHours: string;
  /** The deciders; empty: approvers, anybody among them, without further proof. `group`: of the company's directory. */
  deciders: Deciders | '';
  group: string;
  reauthenticate: Proof | '';
  /** Of a rule that transforms, the change that it makes to the input of its tool; else null. */
  change: FieldChange | null;
  /** It decides nothing, and counts what it would have. */
  monitors: boolean;
};

/** One rule of a document as it stands there, and as the form shows it; null: the form cannot, it stays text. */
export type RulePart = { text: string; form: RuleForm | null };
