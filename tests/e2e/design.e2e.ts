import { expect, scriptsArrive, signIn, test } from '#tests/e2e/support/journey.ts';

const LOOKS = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['forced-colours', { colorScheme: 'light', forcedColors: 'active' }],
] as const;

/** Times are told from now on: their words are as wide on every day. The reference of an error is that of the request. */
const STILL_TIMES = `main time { display: inline-block; inline-size: 7rem; overflow: hidden; white-space: nowrap; opacity: 0; }
  main [data-reference] { opacity: 0; }`;

// Letters are drawn a little differently by each browser: photographs are compared where all is looked at, and not bit by bit.
if (process.env.QUORATE_TEST_FULL !== undefined)
  test.describe('photographs', () => {
    test.use({ bypassCSP: true });

    test('the design system looks as it did, in every theme and both directions @scripts', async ({ page }) => {
      test.setTimeout(300_000);
      await signIn(page, 'builder');
      await page.setViewportSize({ width: 1280, height: 800 });
      for (const language of ['en', 'ar']) {
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.goto(`/dashboard/help/design?lng=${language}`);
        // The button to show a toast comes with the scripts.
        await expect(page.locator('main').getByRole('button')).not.toHaveCount(0);
        await scriptsArrive(page);
        await page
          .locator('main')
          .getByRole('button', { name: /^(?:Show both|عرض اللوحتين)$/ })
          .click();
        await expect(page.locator('main').getByRole('combobox', { expanded: true })).toHaveCount(2);
        await page.evaluate(() => document.fonts.ready);
        await page.addStyleTag({ content: STILL_TIMES });
        for (const [name, media] of LOOKS) {
          await page.emulateMedia(media);
          await expect
            .soft(page.locator('main'))
            .toHaveScreenshot(`design-${name}-${language === 'ar' ? 'rtl' : 'ltr'}.png`, { timeout: 60_000 });
        }
      }
    });
  });
