import {
  COST_TESTS,
  COUNT_MAX,
  type ConditionTest,
  isCost,
  isCounted,
  RULE_COST,
  type RuleCondition,
  WEEKDAYS,
} from '#app/domain/audit/policy-rule.ts';
import type { InputCondition } from '#app/domain/audit/rule-input.ts';
import { quoted } from '#app/engine/policy/cedar-string.ts';
import { joinGuards, readInput } from '#app/engine/policy/rule-inputs.ts';

/** Cedar texts of the tests that need no value. Read back by comparing what Cedar makes of them. */
const PLAIN: Partial<Record<ConditionTest, readonly [subject: string, word: string] | string>> = {
  connectionApproved: 'resource.connection.personalDataAllowed',
  connectionBuiltIn: 'resource.connection.builtin',
  mcp: ['resource.connection.kind', 'mcp'],
  a2a: ['resource.connection.kind', 'a2a'],
  model: ['resource.connection.kind', 'model'],
  app: ['resource.connection.kind', 'app'],
  stateApproved: ['resource.state', 'approved'],
  stateChanged: ['resource.state', 'changed'],
  statePending: ['resource.state', 'pending'],
  stateRemoved: ['resource.state', 'removed'],
  riskLow: ['context.risk', 'low'],
  riskMedium: ['context.risk', 'medium'],
  riskHigh: ['context.risk', 'high'],
  modeTest: ['context.mode', 'test'],
  modeLive: ['context.mode', 'live'],
  requesterIsAuthor: 'context.requesterIsAuthor',
};
const VALUED: Partial<Record<ConditionTest, string>> = {
  connectionIs: 'resource.connection.slug',
  nameIs: 'resource.name',
  workflowIs: 'context.workflow.id',
  agentIs: 'context.agent',
  hostIs: 'resource.connection.host',
  weekdayIs: 'context.weekday',
};
const COUNTED: Record<keyof typeof COUNT_MAX, string> = {
  findingsAtLeast: 'context.findings',
  hourAtLeast: 'context.hour',
  callsAtLeast: 'context.callsInRun',
  approvalsAtLeast: 'context.approvalsInRun',
  payeeCallsAtLeast: 'context.callsToPayee',
  callsTodayAtLeast: 'context.callsToday',
};
const COSTS: Record<(typeof COST_TESTS)[number], string> = { costAtLeast: 'context.costInRun', costTodayAtLeast: 'context.costToday' };

const NEW_PAYEE = 'context.callsToPayee == 0';

/** The Cedar expression of a condition, without its negation. */
export function conditionText({ test, value }: RuleCondition): string {
  const plain = PLAIN[test];
  if (plain !== undefined) return typeof plain === 'string' ? plain : `${plain[0]} == ${quoted(plain[1])}`;
  const subject = VALUED[test];
  if (subject !== undefined) return `${subject} == ${quoted(value)}`;
  if (test === 'personalData') return '!context.personalData.isEmpty()';
  if (test === 'personalDataKind') return `context.personalData.contains(${quoted(value)})`;
  if (isCounted(test)) return `${COUNTED[test]} >= ${Number(value)}`;
  if (isCost(test)) return `${COSTS[test]}.greaterThanOrEqual(decimal(${quoted(value.includes('.') ? value : `${value}.0`)}))`;
  if (test === 'groupIs') return `context.initiatorGroups.contains(${quoted(value)})`;
  if (test === 'newPayee') return NEW_PAYEE;
  return 'context has approvedBy';
}

type Json = { readonly [operator: string]: unknown };

/** Conditions that must all hold, in their order; those on the input of a tool by themselves. */
export type ReadConditions = { conditions: readonly RuleCondition[]; inputs: readonly InputCondition[] };

/** The conditions of a rule; null: the form does not know one of them. */
export function readConditions(clauses: readonly { kind: string; body: unknown }[]): ReadConditions | null {
  return clauses.reduce<ReadConditions | null>((found, { kind, body }) => join(found, readAll(body, kind === 'when')), {
    conditions: [],
    inputs: [],
  });
}

function join(left: ReadConditions | null, right: ReadConditions | null): ReadConditions | null {
  if (left === null || right === null) return null;
  return { conditions: [...left.conditions, ...right.conditions], inputs: joinGuards(left.inputs, right.inputs) };
}

/** `holds` false: of a negation. Not (a or b) is not a and not b; the negation of anything else is more than a list can say. */
function readAll(body: unknown, holds: boolean): ReadConditions | null {
  const node = asNode(body);
  if (node === null) return null;
  const [operator, operand] = node;
  if (operator === '!') return readNegated(operand, holds);
  const input = readInput(body);
  if (input !== null) return { conditions: [], inputs: [{ ...input, holds: input.holds === holds }] };
  if (operator === (holds ? '&&' : '||')) {
    return join(readAll(operand.left, holds), readAll(operand.right, holds));
  }
  const one = readOne(operator, operand);
  return one === null ? null : { conditions: [{ ...one, holds: one.holds === holds }], inputs: [] };
}

function readNegated(operand: Json, holds: boolean): ReadConditions | null {
  const inner = asNode(operand.arg);
  if (inner?.[0] === 'isEmpty') {
    const ours = pathOf(inner[1].arg) === 'context.personalData';
    return ours ? { conditions: [{ test: 'personalData', holds, value: '' }], inputs: [] } : null;
  }
  return readAll(operand.arg, !holds);
}

function readOne(operator: string, operand: Json): RuleCondition | null {
  if (operator === '.') {
    const path = pathOf({ '.': operand });
    const test = (Object.keys(PLAIN) as ConditionTest[]).find((name) => PLAIN[name] === path);
    return test === undefined ? null : { test, holds: true, value: '' };
  }
  if (operator === 'isEmpty')
    return pathOf(operand.arg) === 'context.personalData' ? { test: 'personalData', holds: false, value: '' } : null;
  if (operator === 'has') {
    const ours = pathOf(operand.left) === 'context' && operand.attr === 'approvedBy';
    return ours ? { test: 'somebodyApproved', holds: true, value: '' } : null;
  }
  if (Array.isArray(operand)) return readCost(operator, operand);
  const path = pathOf(operand.left);
  const value = literalOf(operand.right);
  if (path === null || value === undefined) return null;
  if (operator === 'contains' && path === 'context.personalData' && isName(value)) return { test: 'personalDataKind', holds: true, value };
  if (operator === 'contains' && path === 'context.initiatorGroups' && isName(value)) return { test: 'groupIs', holds: true, value };
  if ((operator === '==' || operator === '!=') && path === COUNTED.payeeCallsAtLeast && value === 0)
    return { test: 'newPayee', holds: operator === '==', value: '' };
  const counted = (Object.keys(COUNTED) as (keyof typeof COUNT_MAX)[]).find((name) => COUNTED[name] === path);
  if (counted !== undefined && typeof value === 'number') return readCount(counted, operator, value);
  if ((operator !== '==' && operator !== '!=') || typeof value !== 'string') return null;
  const holds = operator === '==';
  const plain = (Object.keys(PLAIN) as ConditionTest[]).find((name) => PLAIN[name]?.[0] === path && PLAIN[name]?.[1] === value);
  if (plain !== undefined) return { test: plain, holds, value: '' };
  const named = (Object.keys(VALUED) as ConditionTest[]).find((name) => VALUED[name] === path);
  if (named === 'weekdayIs' && !WEEKDAYS.some((day) => day === value)) return null;
  return named === undefined || !isName(value) ? null : { test: named, holds, value };
}

/** Methods of Cedar's decimal, as lists of the amount and the decimal that it is compared with. */
function readCost(operator: string, operand: readonly unknown[]): RuleCondition | null {
  const holds = operator === 'greaterThanOrEqual';
  const path = pathOf(operand[0]);
  const test = COST_TESTS.find((one) => COSTS[one] === path);
  if (!(holds || operator === 'lessThan') || test === undefined) return null;
  const text = decimalOf(operand[1]);
  const value = text?.replace(/\.?0+$/, '') ?? '';
  const amount = text?.startsWith('0') && value === '' ? '0' : value;
  return text?.includes('.') === true && RULE_COST.test(amount) ? { test, holds, value: amount } : null;
}

/** The text of a literal decimal. */
function decimalOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('decimal' in value) || !Array.isArray(value.decimal)) return null;
  const text = literalOf(value.decimal[0]);
  return typeof text === 'string' ? text : null;
}

function readCount(test: keyof typeof COUNT_MAX, operator: string, value: number): RuleCondition | null {
  const limit = operator === '>' || operator === '<=' ? value + 1 : value;
  if (!['>', '>=', '<', '<='].includes(operator) || limit < 0 || limit > COUNT_MAX[test]) return null;
  return { test, holds: operator.startsWith('>'), value: String(limit) };
}

/** True for values that the form field can show and give back unchanged. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value === value.trim() && value.length <= 200 && !/\p{Cc}/u.test(value);
}

function asNode(value: unknown): [operator: string, operand: Json] | null {
  if (typeof value !== 'object' || value === null) return null;
  const [entry] = Object.entries(value);
  return entry === undefined || typeof entry[1] !== 'object' || entry[1] === null ? null : [entry[0], entry[1] as Json];
}

function pathOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('Var' in value) return String(value.Var);
  if (!('.' in value)) return null;
  const { left, attr } = value['.'] as Json;
  const above = pathOf(left);
  return above === null ? null : `${above}.${String(attr)}`;
}

function literalOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'Value' in value ? value.Value : undefined;
}
