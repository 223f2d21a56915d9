import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { ROLES } from '#app/contracts/people.ts';
import { RISKS, VERDICTS } from '#app/contracts/statuses.ts';
import { EXAMPLE_INPUT_MAX, EXAMPLE_NAME_MAX, exampleSchema, type PolicyExample } from '#app/domain/audit/policy-example.ts';
import { APPROVERS_MAX, RULE_VALUE_MAX, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';

/** Kinds of personal data that the detector names. */
export const EXAMPLE_KINDS = ['email', 'phone', 'iban', 'payment_card', 'national_id'] as const;

const COUNT_MAX = 999_999;
const GROUPS_MAX = 20;
const count = z.coerce.number().int().min(0).max(COUNT_MAX).default(0);
const text = z.string().trim().max(RULE_VALUE_MAX).default('');
const hidden = z.boolean().default(false);

/** An example as its form sends it. `input`: JSON. */
export const exampleFormSchema = z.object({
  /** Revision of the draft that the author saw. */
  revision: z.coerce.number().int().min(0),
  intent: z.enum(['save', 'remove']).default('save'),
  name: z.string({ error: 'required' }).trim().min(1).max(EXAMPLE_NAME_MAX),
  expected: z.enum(VERDICTS),
  call: exampleSchema.shape.call,
  input: z
    .string()
    .max(EXAMPLE_INPUT_MAX)
    .default('')
    .refine((value) => readInputText(value) !== null, 'jsonObject'),
  connection: text,
  capability: text,
  host: text,
  builtin: hidden,
  personalDataAllowed: hidden,
  mode: exampleSchema.shape.mode,
  role: z.enum(ROLES),
  requesterIsAuthor: hidden,
  workflow: text,
  agent: text,
  personalData: z.array(z.enum(EXAMPLE_KINDS)).default([]),
  risk: z.enum(RISKS),
  findings: count,
  weekday: z.enum(WEEKDAYS),
  hour: z.coerce.number().int().min(0).max(23).default(12),
  callsInRun: count,
  costInRun: z.coerce.number().min(0).max(COUNT_MAX).default(0),
  approvals: z.coerce.number().int().min(0).max(APPROVERS_MAX).default(0),
  approvalsInRun: count,
  callsToday: count,
  costToday: z.coerce.number().min(0).max(COUNT_MAX).default(0),
  callsToPayee: count,
  /** Names, one a line. */
  groups: z.string().max(4_000).default(''),
});

/** The input that was typed; empty is an input without fields. Null: it is not an object of JSON. */
export function readInputText(typed: string): { [key: string]: Json } | null {
  if (typed.trim() === '') return {};
  try {
    const read: Json = JSON.parse(typed);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

export function exampleFromForm({ revision: _, intent: __, input, groups, ...example }: z.output<typeof exampleFormSchema>): PolicyExample {
  const named = groups.split('\n').map((line) => line.trim().slice(0, RULE_VALUE_MAX));
  return { ...example, input: readInputText(input) ?? {}, groups: named.filter((name) => name !== '').slice(0, GROUPS_MAX) };
}

/** The initial values of the form. */
export function exampleFields({ input, groups, ...example }: PolicyExample) {
  const box = (ticked: boolean) => (ticked ? 'on' : '');
  return {
    ...example,
    groups: groups.join('\n'),
    input: Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2),
    builtin: box(example.builtin),
    personalDataAllowed: box(example.personalDataAllowed),
    requesterIsAuthor: box(example.requesterIsAuthor),
  };
}
