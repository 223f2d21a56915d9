import { expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { examplesSchema } from '#app/domain/audit/policy-example.ts';
import { analyseRules } from '#app/engine/policy/analysis/analyse-rules.ts';
import { runExamples } from '#app/engine/policy/examples/run-examples.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';
import { POLICY_TEMPLATES } from '#app/engine/policy/templates/policy-templates.ts';

const field = (type: string): Json => ({ type });
/** Tools as the templates imagine them. */
const TOOLS = new Map<string, Json>(
  Object.entries<Json>({
    'support/process_refund': { required: ['amount'], properties: { amount: field('number') } },
    'bank/transfer': { required: ['amount', 'currency'], properties: { amount: field('number'), currency: field('string') } },
    'bank/change_payee': { required: ['payee'], properties: { payee: field('string'), iban: field('string'), address: field('string') } },
    'clinic/open_record': { required: ['patient'], properties: { patient: field('string') } },
    'mail/send': { required: ['to'], properties: { to: field('string'), attachment: field('boolean') } },
    'clinic/send_record': { required: ['recipient'], properties: { recipient: field('string'), complete: field('boolean') } },
    'clinic/prescribe': { required: ['milligrams'], properties: { milligrams: field('integer') } },
  }),
);

it.each(POLICY_TEMPLATES)('$slug is valid, passes its examples, and is all in the words of the form', ({ text, examples, tool }) => {
  expect(validatePolicyText(text, TOOLS)).toEqual([]);
  expect(analyseRules(text).faults).toEqual([]);
  expect(examplesSchema.parse(examples)).toEqual(examples);
  expect(runExamples(text, examples, TOOLS).filter(({ passes }) => !passes)).toEqual([]);
  const rules = readRules(text) ?? [];
  expect(rules.map(({ form, text: rule }) => form !== null && writeRule(form) === rule)).toEqual(rules.map(() => true));
  if (tool !== null) expect(rules.map(({ form }) => form?.tool)).toEqual(rules.map(() => tool));
  // each rule is the one that some example is about
  expect(new Set(examples.map(({ expected }) => expected)).size).toBeGreaterThan(1);
});
