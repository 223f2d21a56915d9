import { describe, expect, test } from 'vitest';
import type { StepKind, StepStatus } from '#app/contracts/statuses.ts';
import type { TraceStep } from '#app/features/runs/trace/load-trace-steps.server.ts';
import { TRACE_PAGE_SIZE, traceOf } from '#app/features/runs/trace/trace.ts';
import { readTracePlace, type TracePlace, traceAddress } from '#app/features/runs/trace/trace-place.ts';

const START = Date.parse('2026-11-20T08:00:00Z');
const HOUR = 3_600_000;
const NOWHERE = readTracePlace(new URL('https://quorate.example/runs/1'));
const at = (ms: number) => new Date(START + ms).toISOString();

const step = (path: string, kind: StepKind, from: number, to: number | null, more: Partial<TraceStep> = {}): TraceStep => ({
  ...{ path, kind, name: path, status: 'success' as StepStatus, attempt: 1, protocol: null, reason: null, usage: null, task: null },
  ...{ startedAt: at(from), finishedAt: to === null ? null : at(to), items: null, kept: false, waits: [], pending: null },
  ...more,
});
const trace = (steps: TraceStep[], place: Partial<TracePlace> = {}, now = START + 10_000) => traceOf(steps, { ...NOWHERE, ...place }, now);

describe('rows', () => {
  // Branches that run at once start in any order.
  const steps = [
    step('fork', 'branch', 0, 4_000),
    step('fork/left/one', 'agent', 0, 3_000),
    step('fork/right/two', 'tool', 10, 2_000, { status: 'error' }),
    step('fork/left/one/turn_1', 'model', 20, 900),
    step('end', 'transform', 4_000, 4_000),
  ];

  test('stand below what they are part of, list by list', () => {
    expect(trace(steps).rows.map(({ path, depth, branch, around, bar }) => [path, depth, branch, around?.name, bar])).toEqual([
      ['fork', 0, null, undefined, 'frame'],
      ['fork/left/one', 1, 'left', 'fork', 'frame'],
      ['fork/left/one/turn_1', 2, null, 'fork/left/one', 'work'],
      ['fork/right/two', 1, 'right', 'fork', 'work'],
      ['end', 0, null, undefined, 'work'],
    ]);
  });

  test('of errors alone keep what is around them', () => {
    const { rows, errors, steps: all } = trace(steps, { errors: true });
    expect(rows.map(({ path }) => path)).toEqual(['fork', 'fork/right/two']);
    expect([errors, all]).toEqual([1, 5]);
  });

  test('come in pages, and the selected one opens its own', () => {
    const many = Array.from({ length: 2 * TRACE_PAGE_SIZE + 1 }, (_, index) => step(`s${index}`, 'tool', index, index + 1));
    expect(trace(many)).toMatchObject({ page: 1, pageCount: 3, steps: 401 });
    expect(trace(many, { step: 's400' }).rows.map(({ path }) => path)).toEqual(['s400']);
    expect(trace(many, { step: 's400', page: 1 }).rows).toHaveLength(TRACE_PAGE_SIZE);
    expect(trace(many, { page: 99 }).page).toBe(3);
  });
});

describe('time', () => {
  test('a wait for people is drawn as one, and cut short unless the true scale is asked for', () => {
    const steps = [
      step('read', 'tool', 0, 2_000),
      step('pay', 'tool', 2_000, 52 * HOUR, { waits: [{ from: START + 2_000, until: START + 52 * HOUR - 1_000 }] }),
    ];
    const { rows, breaks, breakable } = trace(steps);
    expect(breaks).toHaveLength(1);
    expect(breakable).toBe(true);
    const [read, pay] = rows;
    expect(read?.span?.[1]).toBeGreaterThan(0.6);
    expect(pay).toMatchObject({ activeMs: 1_000, waitedMs: 52 * HOUR - 3_000 });
    expect(pay?.waits[0]?.[1]).toBeLessThan(1);
    const real = trace(steps, { trueScale: true });
    expect(real).toMatchObject({ breaks: [], breakable: true });
    expect(real.rows[0]?.span?.[1]).toBeLessThan(0.001);
  });

  test('what is under way lasts until now, and a form waits as long as it is open', () => {
    const [form] = trace([step('ask', 'human_task', 0, null, { status: 'waiting' })]).rows;
    expect(form).toMatchObject({ activeMs: null, waitedMs: 10_000, bar: 'pause', span: [0, 1], waits: [[0, 1]] });
  });

  test('what was skipped or taken over from an earlier run has no bar and does not stretch the axis', () => {
    const { rows } = trace([
      step('kept', 'tool', -99 * HOUR, -98 * HOUR, { kept: true }),
      step('left', 'tool', 0, 0, { status: 'skipped' }),
      step('done', 'tool', 0, 1_000),
    ]);
    expect(rows.map(({ span }) => span)).toEqual([null, null, [0, 1]]);
    expect(trace([step('left', 'tool', 0, 0, { status: 'skipped' })]).ticks).toEqual([]);
  });
});

test('an address holds what is open, beside what the page is about', () => {
  const place: TracePlace = { step: 'fork/left', errors: true, trueScale: true, page: 2, frames: true, value: null };
  const address = traceAddress('/runs/1/item?item=lines%2F3', place);
  expect(readTracePlace(new URL(address, 'https://quorate.example'))).toEqual(place);
  expect(address).toContain('item=lines%2F3');
  const part: TracePlace = { ...NOWHERE, value: { of: 'output', pointer: '/rows/3/a~1b', from: 100, find: 'a & b' } };
  expect(readTracePlace(new URL(traceAddress('/runs/1', part), 'https://quorate.example'))).toEqual(part);
  expect(traceAddress('/runs/1', NOWHERE)).toBe('/runs/1');
});
