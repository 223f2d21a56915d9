import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';
import { changeText, type FieldChange } from '#app/domain/audit/field-change.ts';
import {
  APPROVERS_MAX,
  CONDITION_TESTS,
  COUNT_MAX,
  type ConditionTest,
  DECIDERS,
  DUE_HOURS_MAX,
  GROUP_MAX,
  isCost,
  isCounted,
  PROOFS,
  RULE_ACTIONS,
  RULE_ID,
  RULE_REASON_MAX,
  RULE_VALUE_MAX,
  RULE_VERDICTS,
  type RuleCondition,
  type RuleForm,
} from '#app/domain/audit/policy-rule.ts';
import { COMPARISONS_OF, comparesWith, INPUT_COMPARISONS, type InputCondition, inputNumber } from '#app/domain/audit/rule-input.ts';
import type { ToolField } from '#app/engine/policy/inputs/tool-fields.ts';

export const MOST_CONDITIONS = 20;
/** Rows for conditions on the input that are offered empty. */
export const SPARE_INPUTS = 2;
/** Characters of a tool's name with its connection, and of a field's path. */
const MAX_TOOL = 400;
const MAX_PATH = 1_000;
/** Conditions whose value is typed; the others bring their value with the choice. */
export const TYPED_TESTS: readonly ConditionTest[] = [
  'nameIs',
  'agentIs',
  'hostIs',
  'findingsAtLeast',
  'hourAtLeast',
  'callsAtLeast',
  'costAtLeast',
  'approvalsAtLeast',
  'payeeCallsAtLeast',
  'callsTodayAtLeast',
  'costTodayAtLeast',
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
    else if (isCost(test) && !/^\d{1,9}(?:\.\d{1,4})?$/.test(value))
      context.addIssue({ code: 'custom', path: ['value'], message: 'notANumber' });
    else if (/\p{Cc}/u.test(value)) context.addIssue({ code: 'custom', path: ['value'], message: 'invalid' });
  });

/** `field`: the path of a field of the tool's input as JSON; empty: this row says nothing. */
const inputRow = z
  .object({
    field: z.string().max(MAX_PATH).default(''),
    comparison: z.enum(INPUT_COMPARISONS).default('is'),
    holds: z.enum(['if', 'unless']).default('if'),
    value: z.string().trim().max(RULE_VALUE_MAX).default(''),
  })
  .superRefine(({ field, comparison, value }, context) => {
    if (field === '') return;
    if (readPath(field) === null) context.addIssue({ code: 'custom', path: ['field'], message: 'invalid' });
    if (comparesWith(comparison) && value === '') context.addIssue({ code: 'custom', path: ['value'], message: 'required' });
    else if (/\p{Cc}/u.test(value)) context.addIssue({ code: 'custom', path: ['value'], message: 'invalid' });
  });

export const CHANGES = ['mask', 'redact', 'cap'] as const;
const LIMIT = /^-?\d{1,15}(?:\.\d{1,4})?$/;

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
  deciders: z.enum(['', ...DECIDERS]).default(''),
  group: z.string().trim().max(GROUP_MAX).default(''),
  reauthenticate: z.enum(['', ...PROOFS]).default(''),
  monitors: z.boolean().default(false),
  /** Of a rule that transforms: how, the path of the field as JSON, and the limit of a number. */
  changeHow: z.enum(['', ...CHANGES]).default(''),
  changeField: z.string().max(MAX_PATH).default(''),
  changeLimit: z.string().trim().max(40).default(''),
  conditions: z.array(row).max(MOST_CONDITIONS).default([]),
  /** A tool as `connection/tool`; empty: the rule names none. `fields` shows the fields of the tool and saves nothing. */
  tool: z.string().max(MAX_TOOL).default(''),
  inputs: z.array(inputRow).max(MOST_CONDITIONS).default([]),
  intent: z.enum(['save', 'remove', 'fields']).default('save'),
});
export type RuleInput = z.output<typeof ruleSchema>;

function testOf(what: string): ConditionTest | undefined {
  return CONDITION_TESTS.find((test) => test === what.split(':', 1)[0]);
}

const pathSchema = z.array(z.string()).min(1);

export const pathKey = (path: readonly string[]): string => JSON.stringify(path);

function readPath(key: string): string[] | null {
  try {
    const read = pathSchema.safeParse(JSON.parse(key));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** The rule that was entered, for a tool with these fields; rows that say nothing are left out. Or the faults of its rows on the input. */
export function ruleFromForm(
  { revision: _, intent: __, conditions, inputs, approvers, dueHours, changeHow, changeField, changeLimit, ...rule }: RuleInput,
  fields: readonly ToolField[],
): { rule: RuleForm } | { faults: Record<string, string[]> } {
  const read = conditions.flatMap(({ what, holds, value }): RuleCondition[] => {
    const test = testOf(what);
    if (test === undefined) return [];
    const typed = isCounted(test) || isCost(test) ? String(Number(value)) : value;
    const chosen = what.slice(test.length + 1);
    return [{ test, holds: holds === 'if', value: TYPED_TESTS.includes(test) ? typed : chosen }];
  });
  const faults: Record<string, string[]> = {};
  const compared =
    rule.tool === ''
      ? []
      : inputs.flatMap((row, index) => {
          const made = inputOf(row, fields);
          if (made === null || !('fault' in made)) return made ?? [];
          faults[`inputs[${index}].${made.at}`] = [made.fault];
          return [];
        });
  const changed =
    rule.verdict === 'transform' ? changeOf({ tool: rule.tool, changeHow, changeField, changeLimit }, fields) : { change: null };
  if ('faults' in changed) Object.assign(faults, changed.faults);
  if ('faults' in changed || Object.keys(faults).length > 0) return { faults };
  // only an approval has terms
  const asks = rule.verdict === 'require_approval';
  const termOf = (count: number | undefined) => (asks && count !== undefined ? String(count) : '');
  const called = rule.tool === '' ? {} : { actions: [] };
  const who = asks ? {} : { deciders: '' as const, group: '', reauthenticate: '' as const };
  const terms = { approvers: termOf(approvers), dueHours: termOf(dueHours), ...who, change: changed.change };
  return { rule: { ...rule, ...called, conditions: read, inputs: compared, ...terms } };
}

/** The change that a rule makes in the input of its tool. */
function changeOf(
  { tool, changeHow: how, changeField, changeLimit }: Pick<RuleInput, 'tool' | 'changeHow' | 'changeField' | 'changeLimit'>,
  fields: readonly ToolField[],
): { change: FieldChange } | { faults: Record<string, string[]> } {
  if (tool === '') return { faults: { tool: ['required'] } };
  if (how === '') return { faults: { changeHow: ['required'] } };
  const known = fields.find(({ path }) => pathKey(path) === changeField);
  if (known === undefined) return { faults: { changeField: [changeField === '' ? 'required' : 'noSuchField'] } };
  const isNumber = known.kind === 'decimal' || known.kind === 'whole';
  const path = [...known.path];
  const change: FieldChange = how === 'cap' ? { how, path, limit: Number(changeLimit) } : { how, path };
  if (isNumber !== (how === 'cap') || (!isNumber && known.kind !== 'text') || changeText(change) === null)
    return { faults: { changeField: ['changeUnfit'] } };
  if (change.how !== 'cap') return { change };
  if (!LIMIT.test(changeLimit)) return { faults: { changeLimit: ['notANumber'] } };
  return known.kind === 'whole' && !Number.isInteger(change.limit) ? { faults: { changeLimit: ['notAWholeNumber'] } } : { change };
}

/** Null: the row says nothing. */
function inputOf(
  { field, comparison, holds, value }: z.output<typeof inputRow>,
  fields: readonly ToolField[],
): InputCondition | { fault: string; at: 'field' | 'comparison' | 'value' } | null {
  if (field === '') return null;
  const known = fields.find(({ path }) => pathKey(path) === field);
  if (known === undefined) return { fault: 'noSuchField', at: 'field' };
  const base = { path: known.path, comparison, holds: holds === 'if' };
  if (comparison === 'given') return { ...base, kind: null, value: '', guarded: false };
  if (!COMPARISONS_OF[known.kind].includes(comparison)) return { fault: 'comparisonUnfit', at: 'comparison' };
  const numeric = known.kind === 'decimal' || known.kind === 'whole';
  const typed = numeric ? inputNumber(known.kind === 'whole' ? 'whole' : 'decimal', value) : comparesWith(comparison) ? value : '';
  if (typed === null) return { fault: known.kind === 'whole' ? 'notAWholeNumber' : 'notANumber', at: 'value' };
  return { ...base, kind: known.kind, value: typed, guarded: known.optional };
}

/** The initial value of a condition on the input. */
export function inputRowOf({ path, comparison, holds, value }: InputCondition): z.output<typeof inputRow> {
  return { field: pathKey(path), comparison, holds: holds ? 'if' : 'unless', value };
}

/** The initial value of a condition. */
export function rowOf({ test, holds, value }: RuleCondition): z.output<typeof row> {
  const typed = TYPED_TESTS.includes(test);
  return { what: typed || value === '' ? test : `${test}:${value}`, holds: holds ? 'if' : 'unless', value: typed ? value : '' };
}
