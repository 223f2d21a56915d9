import { expect, test } from 'vitest';
import { createFairOrder, HEAD_FOR_MS } from '#app/domain/runs/fair-order.ts';

const A = '00000000-0000-7000-8000-000000000001';
const B = '00000000-0000-7000-8000-000000000002';
const C = '00000000-0000-7000-8000-000000000003';

test('a workspace behind a long backlog of another comes next', () => {
  const order = createFairOrder();
  order.report(null, 0);
  const backlog = Array.from({ length: 10_000 }, () => order.start(A));
  const late = order.start(B);
  expect(backlog.filter((tag) => tag < late)).toHaveLength(1);
  // and still when much of the backlog is done
  order.report(backlog[5_000] ?? null, 1);
  const later = order.start(C);
  expect(backlog.slice(5_000).filter((tag) => tag < later).length).toBeLessThanOrEqual(2);
});

test('workspaces with backlogs are served in turn, each in the order of its own runs', () => {
  const order = createFairOrder();
  order.report(null, 0);
  const runs = [A, A, A, A, B, B].map((workspace, place) => ({ workspace, place, tag: order.start(workspace) }));
  const served = runs.toSorted((one, other) => one.tag - other.tag);
  expect(served.map(({ workspace }) => workspace)).toEqual([A, B, A, B, A, A]);
  expect(served.filter(({ workspace }) => workspace === A).map(({ place }) => place)).toEqual([0, 1, 2, 3]);
});

test('a run that continues does not queue behind what its workspace has started since', () => {
  const order = createFairOrder();
  order.report(null, 0);
  const backlog = Array.from({ length: 100 }, () => order.start(A));
  expect(order.resume(A)).toBeLessThan(backlog[0] ?? 0);
  order.report(backlog[50] ?? null, 1);
  expect(order.resume(A)).toBeLessThanOrEqual(backlog[50] ?? 0);
});

test('tags begin again with an empty queue, and after a head that nobody has read for long', () => {
  const order = createFairOrder();
  order.report(null, 0);
  for (let run = 0; run < 1_000; run += 1) order.start(A);
  order.report(null, 1);
  expect(order.start(A)).toBeLessThan(300);
  order.report(1_000_000, 2);
  for (let run = 0; run < 1_000; run += 1) order.start(A);
  // another process emptied the queue meanwhile, and its new jobs have low tags
  order.report(500, 60_000);
  expect(order.start(A)).toBeLessThan(1_000);
});

test('the head is read again once it is old', () => {
  const order = createFairOrder();
  expect(order.isFresh(0)).toBe(false);
  order.report(null, 0);
  expect(order.isFresh(HEAD_FOR_MS - 1)).toBe(true);
  expect(order.isFresh(HEAD_FOR_MS)).toBe(false);
});

test('what goes in after a run that was put back keeps its place behind the others', () => {
  const order = createFairOrder();
  order.report(10_000, 0);
  const before = order.start(A);
  order.report(100, 1);
  expect(order.start(B)).toBeGreaterThan(10_000);
  expect(order.start(A)).toBeGreaterThan(before);
});
