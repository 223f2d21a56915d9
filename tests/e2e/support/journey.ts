import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

/** Noise of a browser that no page of ours can prevent: a refused form is an answer of 4xx, which Chromium reports. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** A page on which a stray console error, an exception or a refused script fails the test. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      if ((message.type() === 'error' || message.type() === 'warning') && !EXPECTED.test(message.text()))
        faults.push(`console: ${message.text()}`);
    });
    await use(page);
    expect(faults, 'the page was not silent').toEqual([]);
  },
});
export { expect };

export type DemoAccount = { email: string; password: string; name: string; roles: string[] };

/** The person of the demo workspace with this role besides `user`. */
export function demoAccount(role: 'builder' | 'approver' | 'auditor' | 'admin'): DemoAccount {
  const accounts: DemoAccount[] = JSON.parse(readFileSync(join(process.env.QUORATE_E2E_DATA ?? '', 'demo-accounts.json'), 'utf8'));
  const found = accounts.find((account) => account.roles.includes(role));
  if (found === undefined) throw new Error(`no demo account is ${role}`);
  return found;
}

/** The newest caught mail to an address, waiting for it to come. */
export async function newestMail(page: Page, to: string): Promise<{ subject: string; text: string }> {
  let found: { to: string; subject: string; text: string } | undefined;
  await expect(async () => {
    const mails: { to: string; subject: string; text: string }[] = await (await page.request.get('/dev/mailbox.json')).json();
    found = mails.find((mail) => mail.to === to);
    expect(found).toBeDefined();
  }).toPass({ timeout: 10_000 });
  if (found === undefined) throw new Error('no mail came');
  return found;
}

/** WCAG 2.2 AA as far as a machine can tell. The checker is a script itself: where none run, the same page is checked with them. */
export async function expectAccessible(page: Page): Promise<void> {
  if (base.info().project.use.javaScriptEnabled === false) return;
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}
