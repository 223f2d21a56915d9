import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './tests/support/chromium.ts';

const executablePath = findChromium();
const browser = {
  ...devices['Desktop Chrome'],
  baseURL: process.env.QUORATE_E2E_ORIGIN,
  launchOptions: executablePath === undefined ? {} : { executablePath },
};

// Every journey runs twice: scripts make it quicker and are never needed. What only scripts can do is tagged @scripts.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/support/global-setup.ts',
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list']],
  outputDir: 'test-results',
  // The readings are words: the same on every machine.
  snapshotPathTemplate: '{testDir}/readings/{arg}{ext}',
  use: { ...browser, actionTimeout: 15_000, trace: 'retain-on-failure' },
  projects: [
    { name: 'with scripts', use: { ...browser, javaScriptEnabled: true } },
    { name: 'without scripts', grepInvert: /@scripts/, use: { ...browser, javaScriptEnabled: false } },
  ],
});
