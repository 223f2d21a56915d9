import { expect, test } from 'vitest';
import { LONGEST_PAUSE_MS } from '#app/engine/audit/sequencer.ts';
import { LOOK_MS, WATCH_EVERY_S } from '#app/engine/proof/watch-log.ts';

test('a change is signed, and the signed head shown to its witnesses, within a minute', () => {
  // The sequencer signs a head with each batch that it places; even after failures it looks again within its longest pause.
  expect(LONGEST_PAUSE_MS + LOOK_MS + WATCH_EVERY_S * 1000).toBeLessThan(60_000);
});
