import { LANGUAGES } from '#app/domain/web/languages.ts';

/** A walk in a browser: a project of Playwright, and what narrows it. `shard`: which share of its files, as Playwright writes it. */
export type BrowserPart = { name: string; project: string; shard?: string; settings?: Record<string, string> };

const named = (project: string): BrowserPart => ({ name: project, project });

/** The longest first. Screens are looked at beside each other with scripts and with none that arrive. */
export const BROWSER_PARTS: readonly BrowserPart[] = [named('screens scripts blocked'), named('without scripts'), named('with scripts')];

/** What `npm run test:full` walks: each can be run on its own, `npm run test:full -- --part 'screens de'`. */
export const FULL_BROWSER_PARTS: readonly BrowserPart[] = [
  ...LANGUAGES.map((language) => ({
    name: `screens ${language}`,
    project: 'screens with scripts',
    settings: { QUORATE_TEST_LANGUAGES: language },
  })),
  ...[
    'screens without scripts',
    'screens scripts late',
    'screens scripts blocked',
    'with scripts',
    'without scripts',
    'scripts blocked',
  ].map(named),
  // Most of it is waiting, long enough to be shared out.
  ...[1, 2, 3, 4].map((share) => ({ name: `scripts late ${share} of 4`, project: 'scripts late', shard: `${share}/4` })),
];
