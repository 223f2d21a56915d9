import type { Role } from '#app/contracts/people.ts';

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
] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

export const RULE_ACTIONS = ['call_tool', 'call_agent', 'call_model'] as const;
export const RULE_VERDICTS = ['deny', 'require_approval', 'warn'] as const;
/** Of letters that a decision may keep as the rule's name. */
export const RULE_ID = /^[a-z][a-z0-9_.-]{0,59}$/;
export const RULE_REASON_MAX = 300;
/** Characters of what a condition compares with. */
export const RULE_VALUE_MAX = 200;
export const RULE_FINDINGS_MAX = 999_999;

/** `value` is empty but for `personalDataKind`, `connectionIs`, `nameIs` and `findingsAtLeast`, there a whole number. */
export type RuleCondition = { test: ConditionTest; holds: boolean; value: string };

/** One rule as the form shows it: all conditions must be met. No action and no role stand for all of them. */
export type RuleForm = {
  id: string;
  verdict: (typeof RULE_VERDICTS)[number];
  reason: string;
  role: Role | '';
  actions: readonly (typeof RULE_ACTIONS)[number][];
  conditions: readonly RuleCondition[];
};

/** One rule of a document as it stands there, and as the form shows it; null: the form cannot, it stays text. */
export type RulePart = { text: string; form: RuleForm | null };
