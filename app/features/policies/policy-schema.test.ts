import { expect, test } from 'vitest';
import { editPolicySchema } from '#app/features/policies/policy-schema.ts';

test('a policy without a rule yet can be saved: an empty field is left out by the form', () => {
  expect(editPolicySchema.parse({ name: 'Payments', revision: '1' })).toMatchObject({ text: '', intent: 'save' });
});
