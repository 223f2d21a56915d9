import type { Page } from '@playwright/test';
import type { Line } from '#tests/bench/report.ts';

const PREVIEW_LIMIT_MS = 150;
const KEYS = 20;

/**
 * From the last key in an expression until its value stands on the page, on the page of a step of a workflow with 200 steps and a sample. What
 * the field waits for another key is part of it.
 */
export async function measurePreview(page: Page, step: string): Promise<Line[]> {
  await page.goto(step);
  await page.locator('a.flow-card[tabindex="0"]').waitFor();
  const field = page.getByLabel('Expression', { exact: true });
  await field.fill('1');
  const value = page.locator('[role="status"] > code');
  await value.waitFor({ state: 'attached' });
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const before = (await value.textContent()) ?? '';
    await page.waitForLoadState('networkidle');
    await page.evaluate(notePreview, before);
    await page.keyboard.press(String(1 + (key % 9)));
    times.push(await page.evaluate(() => window.previewed));
  }
  times.sort((a, b) => a - b);
  return [
    {
      what: `preview of an expression, from the key to its value, p95 (median ${Math.round(times[KEYS / 2] ?? Number.NaN)})`,
      value: times[Math.ceil(KEYS * 0.95) - 1] ?? Number.NaN,
      unit: 'ms',
      limit: PREVIEW_LIMIT_MS,
      better: 'less',
    },
  ];
}

declare global {
  interface Window {
    /** Milliseconds from the key until another value than before is shown. */
    previewed: Promise<number>;
  }
}

/** In the page: keeps how long the next key takes until the preview's text is another. */
function notePreview(before: string): void {
  const shown = document.querySelector('[role="status"] > code')?.parentElement;
  window.previewed = new Promise((resolve) => {
    let pressed = 0;
    window.addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed = timeStamp;
      },
      { once: true, capture: true },
    );
    const seen = new MutationObserver(() => {
      if (shown?.querySelector('code')?.textContent === before) return;
      seen.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - pressed));
    });
    if (shown) seen.observe(shown, { childList: true, characterData: true, subtree: true });
  });
}
