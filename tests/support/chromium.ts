import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium to test with: the system's, then Playwright's own; undefined when there is none. */
export function findChromium(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of SYSTEM_NAMES) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here: the next place may have it.
      }
    }
  }
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/** Makes sure that there is one: Playwright's own, else the system's package where this account may install it. */
export function provideChromium(say: (line: string) => void): string {
  const present = findChromium();
  if (present !== undefined) return present;
  if (process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    say('No Chromium here: installing the system package …');
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env: environment });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'ignore', env: environment });
  }
  if (findChromium() === undefined) {
    say('No Chromium here: asking Playwright for its own …');
    spawnSync(process.execPath, [join(import.meta.dirname, '..', '..', 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
      stdio: 'ignore',
    });
  }
  const found = findChromium();
  if (found === undefined)
    throw new Error('no Chromium was found or could be installed: install the package chromium, or run npx playwright install chromium');
  return found;
}

/** Version line of a browser, for the summary. */
export function chromiumVersion(path: string): string {
  return execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' }).trim();
}
