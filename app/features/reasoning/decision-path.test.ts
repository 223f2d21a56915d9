import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICTS } from '#app/contracts/statuses.ts';
import { type DecidingRule, decisionPath } from '#app/features/reasoning/decision-path.ts';

const rule = (verdict: DecidingRule['verdict']): DecidingRule => ({ policyId: 'p', policyName: 'P', version: 1, rule: verdict, verdict });
const answers = (...given: Parameters<typeof decisionPath>) => decisionPath(...given).map((step) => (step.reached ? step.answer : '-'));

test('a decision is a walk down the questions, the strictest first', () => {
  expect(answers('allow', [])).toEqual(['no', 'no', 'no']);
  expect(answers('deny', [rule('deny'), rule('warn')])).toEqual(['yes', '-', '-']);
  expect(answers('require_approval', [rule('require_approval')])).toEqual(['no', 'yes', '-']);
});

test('an approval that was given lets the walk continue', () => {
  expect(answers('warn', [rule('require_approval'), rule('warn')])).toEqual(['no', 'released', 'yes']);
  expect(answers('allow', [rule('require_approval')])).toEqual(['no', 'released', 'no']);
});

test('what could not be evaluated is refused without a rule', () => {
  expect(answers('deny', [])).toEqual(['failed', '-', '-']);
});

test('whatever is given, at most one question ends the walk, and nothing is reached behind it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VERDICTS), fc.array(fc.constantFrom(...VERDICTS), { maxLength: 5 }), (verdict, verdicts) => {
      const steps = decisionPath(verdict, verdicts.map(rule));
      const ended = steps.findIndex((step) => step.answer === 'yes' || step.answer === 'failed');
      expect(ended === -1).toBe(verdict === 'allow' || verdict === 'transform');
      expect(steps.map((step) => step.reached)).toEqual(steps.map((_, index) => ended === -1 || index <= ended));
    }),
  );
});
