import { expect, test } from 'vitest';
import { POLICY_TEMPLATES } from '#app/engine/policy/templates/policy-templates.ts';
import { editPolicySchema, TEMPLATE_SLUGS } from '#app/features/policies/policy-schema.ts';

test('the form offers the templates that the engine has', () => {
  expect(TEMPLATE_SLUGS).toEqual(POLICY_TEMPLATES.map(({ slug }) => slug));
});

test('a policy without a rule yet can be saved: an empty field is left out by the form', () => {
  expect(editPolicySchema.parse({ name: 'Payments', revision: '1' })).toMatchObject({ text: '', intent: 'save' });
});
