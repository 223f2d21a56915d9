/** The page that verifies evidence from a file, with no server and no network. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { root } from '#tests/architecture/source-files.ts';
import { oneOfAMillion } from '#tests/support/proof/one-of-a-million.ts';

const MOST_BYTES = 50_000;
const MOST_MS = 200;

test('one entry of a million is verified in a browser by one saved page, and a changed one is named', { tag: '@scripts' }, async ({
  page,
  context,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-page-'));
  try {
    const { bundle, key } = oneOfAMillion();
    const sound = JSON.stringify(bundle);
    expect(sound.length).toBeLessThan(MOST_BYTES);
    await writeFile(join(folder, 'sound.json'), sound);
    await writeFile(join(folder, 'changed.json'), sound.replace('workflow.published', 'workflow.deleted'));
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await context.setOffline(true);
    await page.goto(pathToFileURL(join(root, 'build', 'client', 'verifier', 'quorate-verify.html')).href);
    const verdict = page.locator('[data-verdict]');
    const verify = async (file: string, expected: string) => {
      await page.getByLabel('Evidence', { exact: true }).setInputFiles(join(folder, file));
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(page.getByRole('heading', { name: `${file}: evidence of the entry e1` })).toBeVisible();
      await expect(verdict).toHaveAttribute('data-verdict', expected);
    };
    await verify('sound.json', 'unpinned');
    await page.getByLabel('Key of the instance').fill(key);
    await verify('sound.json', 'proven');
    expect(Number(await verdict.getAttribute('data-milliseconds'))).toBeLessThan(MOST_MS);
    await expect(page.getByRole('cell', { name: 'Refunds' })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await verify('changed.json', 'failed');
    await expect(page.getByText('Entry 123456 (e1) was tampered with: its content is not what was recorded.')).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
