import { expect, test } from 'vitest';
import { type ControlFigures, judgeControls, worstOf } from '#app/engine/compliance/judge-controls.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';

const now = new Date('2026-11-20T12:00:00Z');
const good: ControlFigures = {
  now,
  policies: 3,
  asksApproval: true,
  guardsPersonalData: true,
  violations: 0,
  members: 4,
  approvers: 1,
  approversApart: 1,
  admins: 1,
  decisions: true,
  firstEventAt: new Date('2026-01-01T00:00:00Z'),
  unplacedSince: null,
  checkpointAt: now,
  checkpointSentAt: now,
  haltedAt: new Date('2026-06-01T00:00:00Z'),
  connections: 2,
  unchecked: 0,
  failing: 0,
  changedDefinitions: 0,
  endlessKeys: 0,
  expiredApprovals: 0,
};

test('the list holds at least 50 laws and standards, each once, and each control once in each', async () => {
  const { laws } = await loadLaws();
  expect(laws.length).toBeGreaterThanOrEqual(50);
  expect(new Set(laws.map(({ id }) => id)).size).toBe(laws.length);
  const twice = laws.filter(({ controls }) => new Set(controls.map(({ control }) => control)).size !== controls.length);
  expect(twice.map(({ id }) => id)).toEqual([]);
});

test('every successor that the list names is in it, and in no circle', async () => {
  const { laws } = await loadLaws();
  const known = new Map(laws.map((law) => [law.id, law]));
  const named = laws.flatMap(({ dates }) => dates.supersededBy?.law ?? []);
  expect(named).toEqual(['sr-26-2', 'co-admt']);
  for (const id of named) expect(known.get(id)?.dates.supersededBy).toBeUndefined();
});

test('a law applies no sooner than it is in force, and is checked by somebody who lived then', async () => {
  const { laws } = await loadLaws();
  const first = (day: string) => (day.length === 7 ? `${day}-01` : day);
  const wrong = laws.filter(({ dates: { inForce, applies, supersededBy, checked } }) => {
    const days = [...applies.map(({ from }) => from), ...(supersededBy === undefined ? [] : [supersededBy.on])];
    return (inForce !== undefined && days.some((day) => first(day) < first(inForce))) || (checked !== undefined && checked < '2026-11-27');
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('the AI Act stands as it was amended: high risk by Annex III later, transparency since August 2026', async () => {
  const { laws } = await loadLaws();
  const applies = laws.find(({ id }) => id === 'ai-act')?.dates.applies ?? [];
  expect(applies.find(({ part }) => part?.includes('Annex III'))?.from).toBe('2027-12-02');
  expect(applies.find(({ part }) => part === undefined)?.from).toBe('2026-08-02');
});

test('a workspace that has everything is compliant in every control', () => {
  expect(new Set(Object.values(judgeControls(good)))).toEqual(new Set(['compliant']));
});

test.each([
  [{ policies: 0 }, 'policies', 'nonCompliant'],
  [{ approvers: 0 }, 'oversight', 'nonCompliant'],
  [{ asksApproval: false }, 'oversight', 'nonCompliant'],
  [{ expiredApprovals: 1 }, 'oversight', 'underReview'],
  [{ members: 1 }, 'separation', 'nonCompliant'],
  [{ approversApart: 0 }, 'separation', 'underReview'],
  [{ guardsPersonalData: false }, 'personalData', 'nonCompliant'],
  [{ decisions: false }, 'explained', 'underReview'],
  [{ unplacedSince: new Date(now.getTime() - 120_000) }, 'log', 'nonCompliant'],
  [{ unplacedSince: new Date(now.getTime() - 500) }, 'log', 'compliant'],
  [{ checkpointAt: null }, 'log', 'underReview'],
  [{ checkpointSentAt: null }, 'checkpointsLeave', 'underReview'],
  [{ checkpointSentAt: new Date(now.getTime() - 3 * 86_400_000) }, 'checkpointsLeave', 'nonCompliant'],
  [{ changedDefinitions: 1 }, 'definitions', 'underReview'],
  [{ unchecked: 1 }, 'thirdParties', 'underReview'],
  [{ failing: 1 }, 'operation', 'underReview'],
  [{ violations: 1 }, 'incidents', 'underReview'],
  [{ haltedAt: null }, 'stop', 'underReview'],
  [{ endlessKeys: 1 }, 'keys', 'nonCompliant'],
] as const)('%j makes %s %s', (change, control, status) => {
  expect(judgeControls({ ...good, ...change })[control]).toBe(status);
});

test('a regulation stands as its worst control does', () => {
  expect(worstOf(['compliant', 'underReview', 'nonCompliant'])).toBe('nonCompliant');
  expect(worstOf(['compliant', 'underReview'])).toBe('underReview');
  expect(worstOf(['compliant'])).toBe('compliant');
});
