import { expect, test } from 'vitest';
import { type SuggestionEvidence, suggest } from '#app/domain/runs/suggestions.ts';

const place = { workflowId: 'w', workflow: 'Payment', path: 'screen', name: 'Screen' };
const none: SuggestionEvidence = { steps: [], calls: [], approvals: [], unused: [] };
const step = (more: Partial<SuggestionEvidence['steps'][number]>) => ({
  ...place,
  count: 50,
  errors: 0,
  retried: 0,
  p95Ms: 100,
  activeMs: 100,
  ...more,
});
const call = (more: Partial<SuggestionEvidence['calls'][number]>) => ({
  ...place,
  capabilityId: 'a',
  capability: 'screen_name',
  calls: 10,
  errors: 4,
  alternatives: [],
  ...more,
});
const other = (capability: string, calls: number, errors: number) => ({ capabilityId: capability, capability, calls, errors });

test('nothing seen, nothing said', () => {
  expect(suggest(none)).toEqual([]);
  expect(suggest({ ...none, steps: [step({})], calls: [call({ errors: 1 })] })).toEqual([]);
});

test('a step that fails often is pointed to the best of the others that were considered', () => {
  const alternatives = [other('weak', 20, 10), other('rare', 2, 0), other('good', 40, 2), other('best', 9, 0)];
  expect(suggest({ ...none, calls: [call({ alternatives })] })).toMatchObject([
    { kind: 'useOther', capability: 'screen_name', other: 'best' },
  ]);
  expect(suggest({ ...none, calls: [call({ alternatives: alternatives.slice(0, 2) })] })).toMatchObject([{ kind: 'failing', errors: 4 }]);
});

test('an approval that was always given, for long and often enough', () => {
  const approval = (approved: number, refused: number, days: number) =>
    suggest({ ...none, approvals: [{ ...place, approved, refused, days }] });
  expect(approval(10, 0, 14)).toMatchObject([{ kind: 'alwaysApproved', approved: 10 }]);
  expect([...approval(10, 1, 14), ...approval(9, 0, 14), ...approval(10, 0, 13)]).toEqual([]);
});

test('retries, slow steps and steps never taken', () => {
  expect(suggest({ ...none, steps: [step({ retried: 10 })] })).toMatchObject([{ kind: 'retried', retried: 10 }]);
  const slow = step({ p95Ms: 12_000, activeMs: 900 });
  expect(suggest({ ...none, steps: [slow, step({ path: 'other' })] })).toMatchObject([{ kind: 'slow', path: 'screen', share: 0.9 }]);
  expect(suggest({ ...none, steps: [slow, step({ path: 'other', activeMs: 1_000 })] })).toEqual([]);
  expect(
    suggest({
      ...none,
      unused: [
        { ...place, runs: 20 },
        { ...place, runs: 19 },
      ],
    }),
  ).toMatchObject([{ kind: 'unused', runs: 20 }]);
});
