import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { gatewayDocument, toolName } from '#app/engine/gateways/gateway-document.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { inputValidator } from '#app/engine/runs/steps/input-validator.ts';

const schemaOf = (properties: { [name: string]: Json }, required: string[]): Json => ({ type: 'object', properties, required });
const target = (inputSchema: Json | null) => ({ connection: 'bank', capability: 'pay', title: 'Pay', inputSchema });

it('takes what the tool takes and no more, whatever its arguments are called', () => {
  const names = fc.uniqueArray(
    fc.string({ minLength: 1, maxLength: 30 }).filter((name) => name !== '__proto__'),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(names, fc.nat(), (known, pick) => {
      const fixed = known.filter((_, index) => (pick >> index) % 2 === 1);
      const schema = schemaOf(Object.fromEntries(known.map((name) => [name, { type: 'string', pattern: '^(a+)+$' }])), known);
      const document = gatewayDocument(target(schema), { name: 'pay', fixed: Object.fromEntries(fixed.map((name) => [name, '=x'])) });
      const plain = known.filter((name) => !name.includes('`'));
      const open = plain.filter((name) => !fixed.includes(name));
      const input = Object.fromEntries(open.map((name) => [name, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!']));
      const validate = inputValidator(document);
      expect(validate(input)).toBe(true);
      expect(validate({ ...input, surplus_argument_of_nobody: 1 })).toBe(false);
      const [step] = document.steps;
      const mapped = step?.kind === 'tool' ? step.input : {};
      expect(Object.keys(mapped).sort()).toEqual([...plain].sort());
      for (const value of Object.values(mapped)) expect(parseExpression(value.slice(1))).toBeNull();
    }),
    { numRuns: 60 },
  );
});

it('keeps what is fixed as a value, also where it looks like an expression', () => {
  const schema = schemaOf({ text: { type: 'string' }, times: { type: 'integer' }, deep: { type: 'object' } }, []);
  const { steps } = gatewayDocument(target(schema), { name: 'pay', fixed: { text: '=input.text', times: '3', deep: '{"a":[1]}' } });
  expect(steps).toMatchObject([{ input: { text: '="=input.text"', times: '=3', deep: '={"a":[1]}' } }]);
});

it('takes nothing where its peer states no schema', () => {
  const document = gatewayDocument(target(null), { name: 'pay', fixed: {} });
  expect([inputValidator(document)({}), inputValidator(document)({ any: 1 })]).toEqual([true, false]);
});

it('finds a name in the characters of MCP that nobody has', () => {
  const taken = new Set(['pay', 'bank_pay']);
  expect(toolName({ connection: 'bank', capability: 'pay' }, taken)).toBe('pay_2');
  expect(toolName({ connection: 'bank', capability: 'زكاة' }, new Set())).toBe('tool');
});
