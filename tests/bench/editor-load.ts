import type { CDPSession, Locator, Page } from '@playwright/test';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import { twoHundredSteps } from '#tests/bench/picture/picture-load.ts';
import { measurePreview } from '#tests/bench/preview-load.ts';
import { openReader } from '#tests/bench/reader.ts';
import type { Line } from '#tests/bench/report.ts';

const INP_LIMIT_MS = 100;
/** How much slower than this machine's the processor of the reader is. */
const THROTTLE = 4;
/** A first touch loads and compiles what later ones use; of the others the middle one counts. */
const ROUNDS = 3;
/** A key or button of the mouse stays down as long as a finger holds it. */
const HELD_MS = 80;
/** Event timing tells of an interaction after the frame that followed it. */
const SETTLE_MS = 700;

type Interaction = { what: string; act: Act; after?: Act };
/** Finds what it acts on, and returns what acts: finding it takes the page longer than acting on it. */
type Act = (page: Page) => Promise<() => Promise<unknown>>;

const card = (page: Page, path: string) => page.locator(`a.flow-card[data-path="${path}"]`).first();
const press =
  (key: string): Act =>
  async (page) =>
  () =>
    page.keyboard.press(key, { delay: HELD_MS });
const clickOn =
  (find: (page: Page) => Locator): Act =>
  async (page) => {
    const found = find(page);
    await found.scrollIntoViewIfNeeded();
    const box = await found.boundingBox();
    if (box === null) throw new Error(`not in the page: ${found}`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    return () => page.mouse.click(x, y, { delay: HELD_MS });
  };
const click = (name: string): Act => clickOn((page) => page.locator('main').getByRole('button', { name, exact: true }).first());
const cards =
  (count: number): Act =>
  async (page) =>
  () =>
    page.waitForFunction((wanted) => document.querySelectorAll('a.flow-card').length === wanted, count);
const type: Act = async (page) => {
  await page.getByLabel('Expression', { exact: true }).focus();
  return () => page.keyboard.press('x', { delay: HELD_MS });
};

/** On the page with the picture and the outline; each leaves the draft as it was, or the next takes it back. */
const ON_THE_PICTURE: Interaction[] = [
  { what: 'an arrow key', act: press('ArrowRight') },
  { what: 'selecting all', act: press('Control+a'), after: press('Escape') },
  { what: 'duplicating', act: press('Control+d'), after: cards(201) },
  { what: 'undo', act: press('Control+z'), after: cards(200) },
  { what: 'moving', act: press('Alt+Shift+ArrowRight') },
  { what: 'deleting', act: press('Delete'), after: cards(199) },
  { what: 'undo of a deletion', act: press('Control+z'), after: cards(200) },
  { what: 'zooming out', act: click('Zoom out') },
  { what: 'zooming in', act: click('Zoom in') },
  { what: 'fitting', act: click('Fit'), after: click('Zoom in') },
];
/** Where one step is open beside the picture. */
const ON_A_STEP: Interaction[] = [
  { what: 'typing in a field', act: type },
  { what: 'saving', act: click('Save step') },
  { what: 'zooming out beside a step', act: click('Zoom out'), after: click('Zoom in') },
  { what: 'opening another step', act: clickOn((page) => card(page, 'step_2')), after: clickOn((page) => card(page, 'step_1')) },
];

/**
 * The longest time from a key or click until the page shows it (INP, by the browser's own event timing), for each thing that one does in the editor of a
 * workflow with 200 steps, on a slow machine.
 */
export async function measureEditor(
  origin: string,
  bench: BenchWorkspace,
  account: { email: string; password: string },
  rounds = ROUNDS,
): Promise<Line[]> {
  const samples = [{ name: 'An invoice', input: { text: 'Please review the invoice.' } }];
  const { artifactId } = await bench.addWorkflow({ steps: twoHundredSteps(), samples });
  const { browser, page, session } = await openReader(origin, account, 1440);
  try {
    const editor = `${origin}/dashboard/workflows/${artifactId}/edit`;
    const onPicture = await measureOn(page, session, `${editor}?workspace=${bench.workspaceId}`, ON_THE_PICTURE, rounds);
    const onStep = await measureOn(page, session, `${editor}/step/step_1`, ON_A_STEP, rounds);
    return [...onPicture, ...onStep, ...(await measurePreview(page, `${editor}/step/step_1`))];
  } finally {
    await browser.close();
  }
}

async function measureOn(page: Page, session: CDPSession, address: string, interactions: Interaction[], rounds: number): Promise<Line[]> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(address);
  // The scripts have the picture once one card alone is a tab stop.
  await page.locator('a.flow-card[tabindex="0"]').waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  const times = new Map<string, number[]>(interactions.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds; round += 1) {
    await card(page, 'step_1').focus();
    for (const { what, act, after } of interactions) {
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(SETTLE_MS);
      const go = await act(page);
      await page.waitForTimeout(SETTLE_MS);
      await page.evaluate(() => {
        window.interactionDurations = [];
      });
      await go();
      await page.waitForTimeout(SETTLE_MS);
      // Under 16 ms the browser tells nothing.
      times.get(what)?.push(await page.evaluate(() => Math.max(16, ...window.interactionDurations)));
      await (await after?.(page))?.();
    }
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return [...times].map(([what, all]) => ({
    what: `INP of ${what}, 200 steps, processor ${THROTTLE} times slower (worst ${Math.max(...all)})`,
    value: all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN,
    unit: 'ms',
    limit: INP_LIMIT_MS,
    better: 'less',
  }));
}
