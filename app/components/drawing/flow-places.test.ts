import { expect, test } from 'vitest';
import { placesOf } from '#app/components/drawing/flow-places.ts';
import { type FlowStep, layoutFlow } from '#app/domain/workflows/flow-layout.ts';

const step = (id: string, more: Partial<FlowStep> = {}): FlowStep => ({ id, name: `Step ${id}`, kind: 'transform', ...more });
const branching = (label: string) => step('b', { kind: 'branch', branches: [{ label, when: '', steps: [step('c')] }] });

test('a flow that looks the same has the same places, whatever its steps are called', () => {
  const places = placesOf([step('a'), branching('high')]);
  expect(placesOf([step('a', { name: 'Something else', note: 'and a note' }), branching('high')])).toBe(places);
  expect([...places.cards.keys()]).toEqual(['a', 'b', 'b/high/c']);
  const { cards } = layoutFlow([step('a'), branching('high')], 796);
  for (const [path, style] of places.cards) expect(style).toMatchObject({ '--px': (cards.get(path)?.x ?? -1) / 16 });
});

test.each<[string, FlowStep[]]>([
  ['a step', [step('a'), branching('high'), step('d')]],
  ['the order', [branching('high'), step('a')]],
  ['a label', [step('a'), branching('higher')]],
  ['a kind', [step('a', { kind: 'tool' }), branching('high')]],
  [
    'what is shown in place of a label',
    [step('a'), step('b', { kind: 'branch', branches: [{ label: 'high', title: 'A longer title', when: '', steps: [step('c')] }] })],
  ],
])('another %s has places of its own', (_what, flow) => {
  expect(placesOf(flow)).not.toBe(placesOf([step('a'), branching('high')]));
});

test('those that were not used for longest are forgotten', () => {
  const places = placesOf([step('kept')]);
  const gone = placesOf([step('gone')]);
  for (let n = 0; n < 15; n += 1) {
    placesOf([step(`other_${n}`)]);
    expect(placesOf([step('kept')])).toBe(places);
  }
  expect(placesOf([step('gone')])).not.toBe(gone);
});
