import { expect, test } from 'vitest';
import { arrangePanels, movePanel, settingsOf } from '#app/features/dashboard/panels.ts';

const every = () => true;
const names = (panels: readonly { name: string }[]) => panels.map(({ name }) => name);

test('who has arranged nothing sees all panels in the first order', () => {
  const panels = arrangePanels(undefined, every);
  expect(names(panels).slice(0, 3)).toEqual(['firstDay', 'waiting', 'myRuns']);
  expect(panels.every(({ shown }) => shown)).toBe(true);
});

test('a kept arrangement holds, names without a panel are passed over, and a panel that came later is shown', () => {
  const panels = arrangePanels({ order: ['health', 'gone', 'waiting', 'health'], hidden: ['waiting', 'gone'] }, every);
  expect(names(panels).slice(0, 2)).toEqual(['health', 'waiting']);
  expect(panels.find(({ name }) => name === 'waiting')?.shown).toBe(false);
  expect(panels.find(({ name }) => name === 'newest')?.shown).toBe(true);
  expect(names(panels)).not.toContain('gone');
  expect(panels).toHaveLength(arrangePanels(undefined, every).length);
});

test('a panel that the role has no use for is not arranged', () => {
  expect(names(arrangePanels(undefined, (name) => name !== 'drafts'))).not.toContain('drafts');
});

test('a panel moves among those of its side, and stays at either end', () => {
  const panels = arrangePanels(undefined, every);
  const start = (of: typeof panels) => names(of.filter(({ side }) => side === 'start'));
  expect(start(movePanel(panels, 'myRuns', 'up'))).toEqual(['firstDay', 'myRuns', 'waiting', 'drafts', 'errors', 'newest']);
  expect(start(movePanel(panels, 'waiting', 'down'))).toEqual(['firstDay', 'myRuns', 'waiting', 'drafts', 'errors', 'newest']);
  expect(movePanel(panels, 'firstDay', 'up')).toEqual(panels);
  expect(movePanel(panels, 'newest', 'down')).toEqual(panels);
  expect(movePanel(panels, 'nothing', 'down')).toEqual(panels);
});

test('what is kept reads back as the same arrangement', () => {
  const panels = movePanel(arrangePanels({ order: [], hidden: ['health'] }, every), 'since', 'down');
  expect(arrangePanels(settingsOf(panels), every)).toEqual(panels);
});
