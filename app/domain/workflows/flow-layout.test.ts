import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FLOW, type FlowLayout, flowOf, layoutFlow } from '#app/domain/workflows/flow-layout.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type Step, stepSchema } from '#app/domain/workflows/steps/step.ts';

const WIDE = 100_000;
const step = (id: string): Step => stepSchema.parse({ kind: 'transform', id, name: id, expression: '1' });
const branch = (id: string, lanes: Step[][]): Step =>
  stepSchema.parse({ kind: 'branch', id, name: id, branches: lanes.map((steps, n) => ({ label: `lane_${n}`, when: '', steps })) });

/** Any flow up to four branchings deep, with ids of their own. */
const flows = fc
  .letrec<{ steps: unknown[]; one: unknown }>((tie) => ({
    steps: fc.array(tie('one'), { maxLength: 5, depthIdentifier: 'flow' }),
    one: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'flow', withCrossShrink: true },
      fc.constant('step'),
      fc.array(tie('steps'), { minLength: 1, maxLength: 3, depthIdentifier: 'flow' }),
    ),
  }))
  .steps.map((tree) => {
    let count = 0;
    const grow = (nodes: unknown[]): Step[] =>
      nodes.map((node) => {
        count += 1;
        const id = `s${count}`;
        return Array.isArray(node) ? branch(id, node.map(grow)) : step(id);
      });
    return grow(tree);
  });

const boxes = (layout: FlowLayout) => [
  ...[...layout.cards].map(([name, at]) => ({ name, ...at, length: FLOW.card.length, height: FLOW.card.height })),
  ...[...layout.labels].map(([name, at]) => ({ name: `label ${name}`, ...at, height: 20 })),
];
const overlap = (one: ReturnType<typeof boxes>[number], other: ReturnType<typeof boxes>[number]) =>
  one.x < other.x + other.length && other.x < one.x + one.length && one.y < other.y + other.height && other.y < one.y + one.height;

describe('layoutFlow', () => {
  test('gives every step a place of its own inside the picture, whatever the flow and the length of a row', () => {
    fc.assert(
      fc.property(flows, fc.constantFrom(400, 900, 1400, WIDE), (steps, rowLength) => {
        const layout = layoutFlow(flowOf(steps), rowLength);
        const placed = boxes(layout);
        expect([...layout.cards.keys()].sort()).toEqual([...walkSteps(steps)].map(({ path }) => path).sort());
        for (const [index, box] of placed.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x + box.length).toBeLessThanOrEqual(layout.width);
          expect(box.y + box.height).toBeLessThanOrEqual(layout.height);
          expect(placed.slice(index + 1).filter((other) => overlap(box, other))).toEqual([]);
        }
        // Each place between steps is on the picture, and no two are the same.
        const places = [...layout.places.values()].map(({ x, y }) => `${x} ${y}`);
        expect(new Set(places).size).toBe(places.length);
        for (const { x, y } of layout.places.values()) expect(x > 0 && y > 0 && x < layout.width && y < layout.height).toBe(true);
        const lists = [
          steps,
          ...[...walkSteps(steps)].flatMap(({ step }) => ('branches' in step ? step.branches.map((one) => one.steps) : [])),
        ];
        expect(places.length).toBe(lists.reduce((sum, list) => sum + list.length + 1, 0));
        for (const line of layout.lines) expect(line).toMatch(/^M[\d. ]+(?:[LQ][\d. ]+)+$/);
      }),
      { numRuns: 300 },
    );
  });

  test('leaves what stands before an added step where it was', () => {
    fc.assert(
      fc.property(flows, flows, (before, after) => {
        const renamed = (steps: Step[], mark: string): Step[] => JSON.parse(JSON.stringify(steps).replace(/"s(\d)/g, `"${mark}$1`));
        const first = renamed(before, 'a');
        const rest = renamed(after, 'b');
        const one = layoutFlow(flowOf([...first, ...rest]), WIDE);
        const two = layoutFlow(flowOf([...first, step('added'), ...rest]), WIDE);
        for (const [path, at] of one.cards) if (path.startsWith('a')) expect(two.cards.get(path)?.x).toBe(at.x);
        const shifts = [...one.cards].filter(([path]) => path.startsWith('b')).map(([path, at]) => (two.cards.get(path)?.x ?? 0) - at.x);
        expect(new Set(shifts).size).toBeLessThan(2);
      }),
    );
  });

  test('keeps the first branch on the line and hangs the others below', () => {
    const { cards } = layoutFlow(flowOf([step('a'), branch('b', [[step('c')], [step('d')], []]), step('e')]), WIDE);
    expect(cards.get('b/lane_0/c')?.y).toBe(cards.get('a')?.y);
    expect(cards.get('e')?.y).toBe(cards.get('a')?.y);
    expect(cards.get('b/lane_1/d')?.y).toBeGreaterThan(cards.get('a')?.y ?? 0);
    expect(cards.get('b/lane_1/d')?.x).toBe(cards.get('b/lane_0/c')?.x);
  });

  test('breaks the outermost sequence into rows, and none of its branchings', () => {
    const steps = ['a', 'b', 'c', 'd', 'e'].map(step);
    const { cards, width } = layoutFlow(flowOf(steps), 900);
    expect(new Set([...cards.values()].map(({ y }) => y)).size).toBe(2);
    expect(cards.get('d')?.x).toBe(cards.get('a')?.x);
    expect(width).toBeLessThanOrEqual(900);
  });

  test('sets the steps for a bad end of the run apart, below the flow, and leads no line to them', () => {
    const cleanup = stepSchema.parse({
      kind: 'cleanup',
      id: 'z',
      name: 'z',
      branches: [
        { label: 'on_failure', steps: [step('c')] },
        { label: 'on_cancel', steps: [] },
      ],
    });
    const alone = layoutFlow(flowOf([step('a'), step('b')]), WIDE);
    const layout = layoutFlow(flowOf([step('a'), step('b'), cleanup]), WIDE);
    expect([layout.end, layout.lines, layout.places.get('#2')]).toEqual([alone.end, alone.lines, alone.places.get('#2')]);
    expect(layout.places.has('#3')).toBe(false);
    expect(layout.cards.get('z')?.y).toBeGreaterThan(alone.height - FLOW.margin);
    expect(layout.cleanup?.start.y).toBe((layout.cards.get('z')?.y ?? 0) + FLOW.card.height / 2);
    expect(layout.apart.length).toBeGreaterThan(0);
    expect(alone.cleanup).toBeNull();
    const only = layoutFlow(flowOf([cleanup]), WIDE);
    expect(only.cards.get('z')?.y).toBeGreaterThan(only.end.y + FLOW.dot);
    expect(only.places.has('#0')).toBe(true);
  });

  test('draws a flow without steps from its start to its end', () => {
    const { start, end, lines } = layoutFlow([], 900);
    expect(end.x).toBeGreaterThan(start.x);
    expect(lines).toHaveLength(1);
  });
});
