import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';

// Evaluated by the debugger, which no content security policy of the page stops. An ES module: its exports become the answer.
const source = readFileSync(new URL(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js')), 'utf8')
  .replace(/\/\/# sourceMappingURL=.*$/, '')
  .replace(/export\s*\{([^}]*)\};?\s*/g, (_, names: string) => {
    const pairs = names.split(',').map((name) => name.trim().split(/\s+as\s+/));
    return `globalThis.__screenReader = { ${pairs.map(([local, exported]) => `${exported ?? local}: ${local}`).join(', ')} };`;
  });

/** What differs from run to run, and what it is read as. */
const VOLATILE: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)'],
  [/\b[0-9a-f]{16,}\b/g, '(digest)'],
  [/\b[0-9a-f]{8}…/g, '(digest)…'],
  [/· #\d+/g, '· (number)'],
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '(time)'],
  [/\b(\d+ (second|minute|hour)s? ago|in \d+ (second|minute|hour|day)s?|now|just now)\b/g, '(time)'],
  [/\b[A-Z][a-z]{2} \d{1,2}, \d{4}(, | at )\d{1,2}:\d{2}(:\d{2})?\s?[AP]M( UTC)?/g, '(time)'],
  [/\b\d+(\.\d+)? (ms|s|sec|min)\b/g, '(duration)'],
];

type Reader = {
  start(options: { container: Node }): Promise<void>;
  next(): Promise<void>;
  lastSpokenPhrase(): Promise<string>;
  spokenPhraseLog(): Promise<string[]>;
  stop(): Promise<void>;
};
type WithReader = { __screenReader: { virtual: Reader } };

/** The phrases of a screen reader while something is done in the page: the focused element, and announcements of live regions ('polite: …'). */
export async function heardWhile(page: Page, act: (untilHeard: (phrase: RegExp) => Promise<void>) => Promise<void>): Promise<string[]> {
  await page.evaluate(`(() => { ${source} })()`);
  await page.evaluate(() => (globalThis as unknown as WithReader).__screenReader.virtual.start({ container: document.body }));
  const log = () => page.evaluate(() => (globalThis as unknown as WithReader).__screenReader.virtual.spokenPhraseLog());
  await act((phrase) => expect.poll(log).toContainEqual(expect.stringMatching(phrase)));
  return page.evaluate(async () => {
    const { virtual } = (globalThis as unknown as WithReader).__screenReader;
    const log = await virtual.spokenPhraseLog();
    await virtual.stop();
    return log;
  });
}

/** What can be read of a page, and the element that is read. */
const PARTS = {
  main: 'main',
  article: 'main article',
  table: 'main table',
  list: 'main ul[aria-label]',
  region: 'main section[aria-labelledby]',
};
export type PagePart = keyof typeof PARTS;

/** The words of a screen reader on the page's main part, or on the first such part of it, from beginning to end, a line a phrase. */
export async function readAloud(page: Page, part: PagePart = 'main'): Promise<string> {
  await page.evaluate(`(() => { ${source} })()`);
  const phrases = await page.evaluate(
    async ({ part, selector }) => {
      const { virtual } = (globalThis as unknown as WithReader).__screenReader;
      const container = document.querySelector(selector) ?? document.body;
      await virtual.start({ container });
      for (let count = 0; count < 2_000 && !(await virtual.lastSpokenPhrase()).startsWith(`end of ${part}`); count++) await virtual.next();
      const log = await virtual.spokenPhraseLog();
      await virtual.stop();
      return log;
    },
    { part, selector: PARTS[part] },
  );
  return `${phrases.map((phrase) => VOLATILE.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), phrase)).join('\n')}\n`;
}
