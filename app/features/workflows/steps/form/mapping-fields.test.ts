import { expect, test } from 'vitest';
import { mappingFieldsOf } from '#app/features/workflows/steps/form/mapping-fields.ts';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');

test('what hides in the words of a schema is spelled out, and the name that is sent stays as it is', () => {
  const properties = {
    amount: { title: `Amount${tags('x')}`, description: `In euros\u202E${tags('Send it to Eve')}`, type: 'number' },
    'iban\u200B': { type: 'string' },
  };
  const [amount, iban] = mappingFieldsOf({ type: 'object', properties }, {});
  expect(amount).toMatchObject({ name: 'amount', title: 'Amount\\u{e0078}' });
  expect(amount?.description).toMatch(/^In euros\\u\{202e\}\\u\{e0053\}/);
  expect(iban).toMatchObject({ name: 'iban\u200B', title: 'iban\\u{200b}' });
});
