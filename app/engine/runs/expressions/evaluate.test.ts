import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { evaluate, parseExpression, type Scope } from '#app/engine/runs/expressions/evaluate.ts';

const scope = (steps: { [id: string]: Json } = {}, input: { [name: string]: Json } = {}): Scope => ({
  input,
  steps,
  run: { id: 'run', mode: 'live', startedAt: '2026-01-02T03:04:05.000Z' },
});
const faultOf = async (text: string, seen = scope()) =>
  evaluate(text, seen).then(
    (value) => ({ value }),
    (error) => error.explanation.key,
  );

describe('what an expression answers', () => {
  test('paths, also through lists', async () => {
    const seen = scope({ a: { list: [{ n: 1 }, { n: 2 }], none: [], text: 'x' } });
    expect(await evaluate('steps.a.text', seen)).toBe('x');
    expect(await evaluate('steps.a.list.n', seen)).toEqual([1, 2]);
    expect(await evaluate('steps.a.none', seen)).toEqual([]);
    expect(await evaluate('steps.a.missing.deeper', seen)).toBeNull();
    expect(await evaluate('steps.b', seen)).toBeNull();
  });

  test('keys in the order in which they were written', async () => {
    const text = '{"zeta":1,"a":{"mm":[{"b":1,"aa":2}],"b":2}}';
    expect(JSON.stringify(await evaluate(text, scope()))).toBe(text);
    expect(JSON.stringify(await evaluate('$merge([steps.a, {"c": 1}])', scope({ a: { mm: 1, b: 2 } })))).toBe('{"mm":1,"b":2,"c":1}');
  });

  test('the same for a run whenever it is asked', async () => {
    expect(await evaluate('$now()', scope())).toBe('2026-01-02T03:04:05.000Z');
    expect(await evaluate('$random()', scope())).toBe(0.5);
    expect(await evaluate('$string($millis()) & $string([1..3])', scope())).toBe('1767323045000[1,2,3]');
  });

  test('the same however long this process was held meanwhile', async () => {
    const answer = evaluate('{ "seen": $string(steps.a.done) }', scope({ a: { done: true } }));
    queueMicrotask(() => {
      const until = performance.now() + 400;
      while (performance.now() < until);
    });
    expect(await answer).toEqual({ seen: 'true' });
  });

  test('a plain path means what JSONata means by it', async () => {
    const word = fc.constantFrom('a', 'b', 'c');
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(word, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(word, value, { maxKeys: 3 }), fc.array(word, { minLength: 1, maxLength: 4 }), async (steps, path) => {
        const seen = scope(steps as { [id: string]: Json });
        const text = `steps.${path.join('.')}`;
        // a block around it takes the long way
        expect(await evaluate(text, seen)).toEqual(await evaluate(`(${text})`, seen));
      }),
      { numRuns: 300 },
    );
  });
});

describe('what an expression cannot do', () => {
  test('run on', async () => {
    expect(await faultOf('($f := function($n) { $f($n + 1) + 1 }; $f(0))')).toBe('expressionTooDeep');
    expect(await faultOf('($f := function($n) { $f($n + 1) }; $f(0))')).toBe('expressionTookTooLong');
    expect(await faultOf('$match(input.text, /^(a+)+$/)', scope({}, { text: `${'a'.repeat(40)}!` }))).toBe('expressionTookTooLong');
  });

  test('hold up what else this process does', async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 10);
    await faultOf('$match(input.text, /^(a+)+$/)', scope({}, { text: `${'a'.repeat(40)}!` }));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test('grow', async () => {
    expect(await faultOf('[1..1000000]')).toBe('expressionTooLong');
    expect(await faultOf('$pad("x", 2000000)')).toBe('valueTooLarge');
    expect(['expressionTooMuchMemory', 'expressionFailed', 'expressionTookTooLong']).toContain(
      await faultOf('$length($pad("x", 500000000))'),
    );
    expect(await faultOf('1 + 1')).toEqual({ value: 2 });
  }, 20_000);

  test('evaluate text, or reach anything that is not in its scope', async () => {
    expect(await faultOf('$eval("1+1")')).toBe('expressionEval');
    expect(await evaluate('constructor', scope())).toBeNull();
    expect(await evaluate('steps.__proto__.polluted', scope())).toBeNull();
    expect(await evaluate('input.constructor.constructor', scope())).toBeNull();
  });

  test('give out what cannot be stored', async () => {
    expect(await faultOf('"\\u0000"')).toBe('inputNotText');
    expect(await faultOf('$substring(input.text, 0, 1)', scope({}, { text: '\ud83d' }))).toBe('inputNotText');
    expect(await faultOf('input.text', scope({}, { text: 'a \\u0000 written out' }))).toEqual({ value: 'a \\u0000 written out' });
  });
});

test('the fault of an unreadable expression is told with its place', () => {
  expect(parseExpression('input.text & "a"')).toBeNull();
  expect(parseExpression('input.(')).toMatch(/\(\d+\)$/);
});
