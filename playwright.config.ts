import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './tests/support/chromium.ts';

const SCREENS = '**/screens.e2e.ts';
const full = process.env.QUORATE_TEST_FULL !== undefined;
const executablePath = findChromium();
const browser = {
  ...devices['Desktop Chrome'],
  baseURL: process.env.QUORATE_E2E_ORIGIN,
  // Without the stand-in for a graphics card, which nothing here needs, a walk takes some 6 % less.
  launchOptions: { args: ['--disable-gpu'], ...(executablePath === undefined ? {} : { executablePath }) },
};

/** The journeys that nearly everybody makes, besides what only scripts can do: `npm test` walks them with scripts, too. */
const DAILY = ['main-job', 'auth', 'bad-input', 'desk/approvals'];
const withScripts = full ? {} : { grep: new RegExp(`@scripts|(${DAILY.join('|')})\\.e2e`), grepInvert: /@rare/ };
const withoutScripts = { grepInvert: full ? /@scripts/ : /@scripts|@rare/ };

// Every journey runs twice, without scripts and with them, which make it quicker and are never needed: both in full, where `npm test`
// walks nearly all without and with scripts some. What only scripts can do is tagged @scripts; @rare is left to full: at length, or beside
// another journey, what specs say of the same.
export default defineConfig<{ scripts: 'as set' | 'blocked' | 'late' }>({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/support/global-setup.ts',
  workers: 1,
  // Patience costs nothing where all is well: a machine that stops for some seconds at any line is to pass too.
  timeout: 240_000,
  expect: {
    timeout: 30_000,
    toHaveScreenshot: { pathTemplate: '{testDir}/photographs/{arg}{ext}', maxDiffPixelRatio: 0.02, threshold: 0.3 },
  },
  forbidOnly: true,
  reporter: [['list']],
  outputDir: 'test-results',
  // The readings are words: the same on every machine.
  snapshotPathTemplate: '{testDir}/readings/{arg}{ext}',
  // Recording a trace takes as long as the journey itself; `playwright test` by hand keeps those of failures.
  use: { ...browser, actionTimeout: 45_000, trace: process.env.CI ? 'off' : 'retain-on-failure' },
  projects: [
    { name: 'with scripts', testIgnore: SCREENS, ...withScripts, use: { ...browser, javaScriptEnabled: true } },
    { name: 'without scripts', testIgnore: SCREENS, ...withoutScripts, use: { ...browser, javaScriptEnabled: false } },
    // Every screen looked at: as long as all journeys together, and so apart from them.
    { name: 'screens with scripts', testMatch: SCREENS, use: { ...browser, javaScriptEnabled: true } },
    { name: 'screens without scripts', testMatch: SCREENS, grepInvert: /@scripts/, use: { ...browser, javaScriptEnabled: false } },
    // What stands between: scripts that a firewall takes away, and scripts that come when half of the work is done.
    ...(['blocked', 'late'] as const).flatMap((scripts) => {
      // Each script that is late brings others that are late in their turn.
      const patience = scripts === 'late' ? { timeout: 600_000, expect: { timeout: 45_000 } } : {};
      const use = { ...browser, scripts, ...(scripts === 'late' ? { actionTimeout: 60_000 } : {}) };
      return [
        { name: `scripts ${scripts}`, testIgnore: SCREENS, grepInvert: /@scripts/, use, ...patience },
        { name: `screens scripts ${scripts}`, testMatch: SCREENS, grepInvert: /@scripts/, use, ...patience },
      ];
    }),
  ],
});
