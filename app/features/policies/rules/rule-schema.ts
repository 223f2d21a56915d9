import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';
import {
  APPROVERS_MAX,
  CONDITION_TESTS,
  COUNT_MAX,
  type ConditionTest,
  DUE_HOURS_MAX,
  isCounted,
  RULE_ACTIONS,
  RULE_ID,
  RULE_REASON_MAX,
  RULE_VALUE_MAX,
  RULE_VERDICTS,
  type RuleCondition,
  type RuleForm,
} from '#app/domain/audit/policy-rule.ts';

export const MOST_CONDITIONS = 20;
/** Conditions whose value is typed; the others bring their value with the choice. */
export const TYPED_TESTS: readonly ConditionTest[] = [
  'nameIs',
  'agentIs',
  'hostIs',
  'findingsAtLeast',
  'hourAtLeast',
  'callsAtLeast',
  'costAtLeast',
];

/** `what` is a test, or a test, a colon and its value; empty: this row says nothing. */
const row = z
  .object({
    what: z
      .string()
      .max(RULE_VALUE_MAX + 40)
      .default(''),
    holds: z.enum(['if', 'unless']).default('if'),
    value: z.string().trim().max(RULE_VALUE_MAX).default(''),
  })
  .superRefine(({ what, value }, context) => {
    const test = testOf(what);
    if (what !== '' && test === undefined) context.addIssue({ code: 'custom', path: ['what'], message: 'invalid' });
    if (test === undefined || !TYPED_TESTS.includes(test)) return;
    if (value === '') context.addIssue({ code: 'custom', path: ['value'], message: 'required' });
    else if (isCounted(test) && !(/^\d+$/.test(value) && Number(value) <= COUNT_MAX[test]))
      context.addIssue({ code: 'custom', path: ['value'], message: 'notANumber' });
    else if (test === 'costAtLeast' && !/^\d{1,9}(?:\.\d{1,4})?$/.test(value))
      context.addIssue({ code: 'custom', path: ['value'], message: 'notANumber' });
    else if (/\p{Cc}/u.test(value)) context.addIssue({ code: 'custom', path: ['value'], message: 'invalid' });
  });

export const ruleSchema = z.object({
  /** Revision of the draft that the author saw. */
  revision: z.coerce.number().int().min(0),
  id: z.string().trim().regex(RULE_ID, 'ruleId'),
  verdict: z.enum(RULE_VERDICTS),
  reason: z.string().trim().min(1).max(RULE_REASON_MAX),
  role: z.enum(['', ...ROLES]).default(''),
  actions: z.array(z.enum(RULE_ACTIONS)).default([]),
  approvers: z.coerce.number().int().min(1).max(APPROVERS_MAX).optional(),
  dueHours: z.coerce.number().int().min(1).max(DUE_HOURS_MAX).optional(),
  monitors: z.boolean().default(false),
  conditions: z.array(row).max(MOST_CONDITIONS).default([]),
});
export type RuleInput = z.output<typeof ruleSchema>;

function testOf(what: string): ConditionTest | undefined {
  return CONDITION_TESTS.find((test) => test === what.split(':', 1)[0]);
}

/** The rule that was entered; rows that say nothing are left out. */
export function ruleFromForm({ revision: _, conditions, approvers, dueHours, ...rule }: RuleInput): RuleForm {
  const read = conditions.flatMap(({ what, holds, value }): RuleCondition[] => {
    const test = testOf(what);
    if (test === undefined) return [];
    const typed = isCounted(test) || test === 'costAtLeast' ? String(Number(value)) : value;
    const chosen = what.slice(test.length + 1);
    return [{ test, holds: holds === 'if', value: TYPED_TESTS.includes(test) ? typed : chosen }];
  });
  // only an approval has terms
  const asks = rule.verdict === 'require_approval';
  const termOf = (count: number | undefined) => (asks && count !== undefined ? String(count) : '');
  return { ...rule, conditions: read, approvers: termOf(approvers), dueHours: termOf(dueHours) };
}

/** The initial value of a condition. */
export function rowOf({ test, holds, value }: RuleCondition): z.output<typeof row> {
  const typed = TYPED_TESTS.includes(test);
  return { what: typed || value === '' ? test : `${test}:${value}`, holds: holds ? 'if' : 'unless', value: typed ? value : '' };
}
