import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { ROLES } from '#app/contracts/people.ts';
import { RISKS, VERDICTS } from '#app/contracts/statuses.ts';
import { APPROVERS_MAX, RULE_ACTIONS, RULE_VALUE_MAX, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';

export const EXAMPLES_MAX = 50;
export const EXAMPLE_NAME_MAX = 120;
/** Characters of an example's input as JSON. */
export const EXAMPLE_INPUT_MAX = 8_000;
const COUNT = z.number().int().min(0).max(999_999);
const text = z.string().max(RULE_VALUE_MAX);

const inputSchema = z
  .custom<{ [key: string]: Json }>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  .refine((value) => JSON.stringify(value).length <= EXAMPLE_INPUT_MAX);

/**
 * A call as a policy's author imagines it, and the verdict that the policy has to give: part of the policy. `call` is the kind of the call,
 * or the tool `connection/tool`, whose input is `input`; `connection` and `capability` name what is called otherwise. `cost`: US dollars.
 * `approvals`: people who have approved exactly this call.
 */
export const exampleSchema = z.object({
  name: z.string().trim().min(1).max(EXAMPLE_NAME_MAX),
  expected: z.enum(VERDICTS),
  call: z.union([
    z.enum(RULE_ACTIONS),
    z
      .string()
      .regex(/^[^/]+\/.+$/)
      .max(400),
  ]),
  input: inputSchema,
  connection: text,
  capability: text,
  host: text,
  builtin: z.boolean(),
  personalDataAllowed: z.boolean(),
  mode: z.enum(['live', 'test']),
  role: z.enum(ROLES),
  requesterIsAuthor: z.boolean(),
  workflow: text,
  agent: text,
  personalData: z.array(text).max(20),
  risk: z.enum(RISKS),
  findings: COUNT,
  weekday: z.enum(WEEKDAYS),
  hour: z.number().int().min(0).max(23),
  callsInRun: COUNT,
  costInRun: z.number().min(0).max(999_999_999),
  approvals: z.number().int().min(0).max(APPROVERS_MAX),
  // examples that were written before these were known say nothing of them
  approvalsInRun: COUNT.default(0),
  groups: z.array(text).max(20).default([]),
  callsToday: COUNT.default(0),
  costToday: z.number().min(0).max(999_999_999).default(0),
  callsToPayee: COUNT.default(0),
});
export type PolicyExample = z.infer<typeof exampleSchema>;
export const examplesSchema = z.array(exampleSchema).max(EXAMPLES_MAX);

/** An example that says nothing special: a live call of a tool by a builder, on a Monday at noon. */
export const PLAIN_EXAMPLE: PolicyExample = {
  name: '',
  expected: 'deny',
  call: 'call_tool',
  input: {},
  connection: '',
  capability: '',
  host: '',
  builtin: false,
  personalDataAllowed: false,
  mode: 'live',
  role: 'builder',
  requesterIsAuthor: false,
  workflow: '',
  agent: '',
  personalData: [],
  risk: 'low',
  findings: 0,
  weekday: 'monday',
  hour: 12,
  callsInRun: 0,
  costInRun: 0,
  approvals: 0,
  approvalsInRun: 0,
  groups: [],
  callsToday: 0,
  costToday: 0,
  callsToPayee: 0,
};
