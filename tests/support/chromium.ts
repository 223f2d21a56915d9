import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** The one without a window first: the others draw one that nobody sees, tabs and buttons included, for each page that is opened. */
const SHELL = 'chromium-headless-shell';
const SYSTEM_NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The most that a package may take: one that is needed, and one that only saves time. */
const NEEDED_MS = 180_000;
const WISHED_MS = 40_000;

/** Path of a Chromium to test with: the system's, then Playwright's own; undefined when there is none. */
export function findChromium(): string | undefined {
  for (const name of SYSTEM_NAMES) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
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

/** Makes sure that there is one: the system's, from a package where this account may install it, else Playwright's own. */
export function provideChromium(say: (line: string) => void): string {
  if (findChromium()?.endsWith(SHELL) !== true && mayInstallPackages()) {
    const present = findChromium() !== undefined;
    // Some systems have no package of the shell, and a browser with a window serves as well.
    for (const name of present ? [SHELL] : [SHELL, 'chromium']) {
      say(`No ${name} here: installing the system package …`);
      if (installPackage(name, present ? WISHED_MS : NEEDED_MS)) break;
    }
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

const mayInstallPackages = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;

/** Whether it is there afterwards. What a package source is slow to send is not waited for. */
function installPackage(name: string, timeout: number): boolean {
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout } as const;
  const install = () => spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options).status === 0;
  if (install()) return true;
  // The lists of a fresh machine are empty or old.
  spawnSync('apt-get', ['update', '-qq'], options);
  return install();
}

/** Version line of a browser, for the summary. */
export function chromiumVersion(path: string): string {
  return execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' }).trim();
}
