import { defineConfig } from 'vitest/config';
import { iconPlugin } from './app/components/icon/icon-plugin.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

/** `npm run test:full` keeps the times that it measures: there the files of a project run in turns. */
const full = process.env.QUORATE_TEST_FULL !== undefined;
/** Left to `npm run test:full`: long tests that say more of what a shorter one says. */
const exclude = full ? [] : ['tests/**/wide/**'];

// The suffix chooses the runner: .test.ts(x) beside the unit, .spec.ts against the real embedded database, .kill.ts against
// the built product.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [iconPlugin],
        test: {
          name: 'unit',
          include: ['app/**/*.test.{ts,tsx}', 'tests/architecture/**/*.test.ts'],
          environment: 'node',
          setupFiles: ['tests/support/unit-setup.ts'],
          // Loading the product's modules for each of 140 files takes longer than the tests. A file that mocks modules resets them
          // before and after (`vi.resetModules`).
          isolate: false,
          maxWorkers: 2,
          // A machine that does other things as well.
          testTimeout: 30_000,
        },
      },
      {
        plugins: [iconPlugin],
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.spec.ts'],
          exclude,
          environment: 'node',
          globalSetup: ['tests/support/database-setup.ts'],
          // As above: two seconds of processor a file.
          isolate: false,
          // Each file has a database of its own, and most of them wait for it rather than work.
          maxWorkers: 4,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        // The built product in several processes, against a stand-in for a hosted project.
        test: {
          name: 'hosted',
          include: ['tests/hosted/**/*.spec.ts'],
          environment: 'node',
          maxWorkers: full ? 1 : 2,
          testTimeout: 120_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        // The built product in processes of its own, killed: it waits more than it works.
        test: {
          name: 'survival',
          include: ['tests/survival/**/*.kill.ts'],
          exclude,
          environment: 'node',
          maxWorkers: full ? 1 : 2,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
