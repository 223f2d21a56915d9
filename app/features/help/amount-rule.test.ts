import { expect, test } from 'vitest';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';
import { POLICY_TEMPLATES } from '#app/engine/policy/templates/policy-templates.ts';
import { AMOUNT_RULE } from '#app/features/help/amount-rule.ts';

test('the rule of the guide is one that an author can begin with, and that the form shows', () => {
  const [rule] = readRules(AMOUNT_RULE) ?? [];
  expect(rule?.form && `${writeRule(rule.form)}\n`).toBe(AMOUNT_RULE);
  expect(POLICY_TEMPLATES.find(({ slug }) => slug === 'bank-payments')?.text.startsWith(AMOUNT_RULE)).toBe(true);
});
