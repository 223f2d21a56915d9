import type { Role } from '#app/contracts/people.ts';
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
] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

export const RULE_ACTIONS = ['call_tool', 'call_agent', 'call_model'] as const;
export const RULE_VERDICTS = ['deny', 'require_approval', 'warn'] as const;
/** A rule that changes the input stays text. */
export const TEXT_VERDICTS = [...RULE_VERDICTS, 'transform'] as const;
/** Of letters that a decision may keep as the rule's name. */
export const RULE_ID = /^[a-z][a-z0-9_.-]{0,59}$/;
export const RULE_REASON_MAX = 300;
/** Characters of what a condition compares with. */
export const RULE_VALUE_MAX = 200;
/** The most that a condition counts to. */
export const COUNT_MAX = { findingsAtLeast: 999_999, hourAtLeast: 23, callsAtLeast: 999_999 } as const;
/** US dollars of `costAtLeast`, without needless zeros. */
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
  /** It decides nothing, and counts what it would have. */
  monitors: boolean;
};

/** One rule of a document as it stands there, and as the form shows it; null: the form cannot, it stays text. */
export type RulePart = { text: string; form: RuleForm | null };
