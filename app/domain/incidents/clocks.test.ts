import { describe, expect, it } from 'vitest';
import { clockState, clocksOf, endOf, type IncidentFacts, type SentAt } from '#app/domain/incidents/clocks.ts';
import type { Regime } from '#app/domain/incidents/incident.ts';
import { loadRegimes } from '#app/engine/compliance/incident-regimes.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';

const at = (text: string) => new Date(`${text}Z`);
const noticedAt = at('2026-11-02T08:00');
const rules = await loadRegimes();
async function dues(regime: Regime, facts: Partial<IncidentFacts> = {}, sent: SentAt = {}) {
  const clocks = clocksOf(regime, rules[regime].steps, { noticedAt, classifiedAt: null, harm: null, ...facts }, sent);
  return Object.fromEntries(clocks.map(({ step, due }) => [step, due?.toISOString().slice(0, 16) ?? null]));
}

describe('DORA, Article 19(4) and Delegated Regulation (EU) 2025/301, Article 5', () => {
  it('asks for the initial notification 4 hours after the classification, and 24 after the awareness at most', async () => {
    expect(await dues('dora', { classifiedAt: at('2026-11-02T10:30') })).toMatchObject({ initial: '2026-11-02T14:30' });
    expect(await dues('dora', { classifiedAt: at('2026-11-03T06:00') })).toMatchObject({ initial: '2026-11-03T08:00' });
    expect(await dues('dora')).toMatchObject({ initial: '2026-11-03T08:00' });
  });

  it('counts from a classification that came more than 24 hours after the awareness', async () => {
    expect(await dues('dora', { classifiedAt: at('2026-11-04T09:00') })).toMatchObject({ initial: '2026-11-04T13:00' });
  });

  it('asks for the intermediate report 72 hours after the initial one was sent, and for the final one a month after that', async () => {
    const classifiedAt = at('2026-11-02T10:30');
    expect(await dues('dora', { classifiedAt })).toMatchObject({ intermediate: null, final: null });
    expect(await dues('dora', { classifiedAt }, { initial: at('2026-11-02T12:00') })).toMatchObject({
      intermediate: '2026-11-05T12:00',
      final: null,
    });
    const sent = { initial: at('2026-11-02T12:00'), intermediate: at('2026-11-05T09:00') };
    expect(await dues('dora', { classifiedAt }, sent)).toMatchObject({ final: '2026-12-05T09:00' });
  });
});

it('NIS2, Article 23(4), asks for a warning in 24 hours, a notification in 72, and a final report a month after it', async () => {
  expect(await dues('nis2')).toEqual({ warning: '2026-11-03T08:00', notification: '2026-11-05T08:00', final: null });
  expect(await dues('nis2', {}, { notification: at('2026-11-04T08:00') })).toMatchObject({ final: '2026-12-04T08:00' });
});

it.each([
  [null, 'Article 73(2)', '2026-11-17T08:00'],
  ['death', 'Article 73(4)', '2026-11-12T08:00'],
  ['widespread', 'Article 73(3)', '2026-11-04T08:00'],
] as const)('the AI Act with the harm %s is reported by %s', async (harm, article, due) => {
  const [clock] = clocksOf('aiAct', rules.aiAct.steps, { noticedAt, classifiedAt: null, harm }, {});
  expect([clock?.article, clock?.due?.toISOString().slice(0, 16)]).toEqual([article, due]);
});

it('the GDPR, Article 33(1), asks for a notification in 72 hours', async () => {
  expect(await dues('gdpr')).toEqual({ notification: '2026-11-05T08:00' });
});

it.each([
  ['2026-01-31T10:00', '2026-02-28T10:00'],
  ['2028-01-31T10:00', '2028-02-29T10:00'],
  ['2026-12-15T23:59', '2027-01-15T23:59'],
  ['2026-03-28T01:30', '2026-04-28T01:30'],
])('a month from %s ends at %s', (start, end) => {
  expect(endOf(at(start), { months: 1 })).toEqual(at(end));
});

it('people are reminded in the last quarter, three days before at most', () => {
  const near = (hours: number) => {
    const [clock] = clocksOf(
      'gdpr',
      [{ id: 'report', article: 'x', within: { of: 'noticed', hours } }],
      { noticedAt, classifiedAt: null, harm: null },
      {},
    );
    return ((clock?.due?.getTime() ?? 0) - (clock?.near?.getTime() ?? 0)) / 3_600_000;
  };
  expect([near(4), near(24), near(72), near(720)]).toEqual([1, 6, 18, 72]);
});

it('a report is late from the very moment that it was due', () => {
  const due = at('2026-11-03T08:00');
  expect(clockState({ due, sent: null }, at('2026-11-03T07:59'))).toBe('open');
  expect(clockState({ due, sent: null }, due)).toBe('overdue');
  expect(clockState({ due, sent: due }, due)).toBe('sent');
  expect(clockState({ due, sent: at('2026-11-03T08:01') }, due)).toBe('sentLate');
  expect(clockState({ due: null, sent: null }, due)).toBe('waiting');
});

it('every regime is a law of the catalogue, and its clocks run no sooner than the law applies', async () => {
  const { laws } = await loadLaws();
  for (const { law, from, steps } of Object.values(rules)) {
    const dates = laws.find(({ id }) => id === law)?.dates;
    expect(
      dates?.applies.some((part) => part.from <= from),
      law,
    ).toBe(true);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  }
});
