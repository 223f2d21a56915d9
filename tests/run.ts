/**
 * `npm test` and `npm run test:full`: everything in order, a summary at the end, and a failing exit code when anything
 * failed. A stage that fails does not keep the later ones from being seen, except those that need its result.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chromiumVersion, provideChromium } from './support/chromium.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', name);
const say = (line: string) => process.stdout.write(`${line}\n`);

type Stage = { name: string; needs?: string; run: () => Promise<boolean> };
type Outcome = { name: string; result: 'passed' | 'failed' | 'left out'; seconds: number };

const full = process.argv.includes('--full');

function node(...args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CI: 'true', ...(full ? { QUORATE_TEST_FULL: 'true' } : {}) },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)).once('error', () => resolve(false)));
}

async function browser(): Promise<boolean> {
  const path = provideChromium(say);
  say(`${chromiumVersion(path)} at ${path}`);
  return true;
}

/** With and without scripts at the same time, each with a server, data and a folder for results of its own. */
async function journeys(): Promise<boolean> {
  const projects = ['with scripts', 'without scripts', ...(full ? ['scripts blocked', 'scripts late'] : [])];
  const walk = (project: string) =>
    node(bin('@playwright/test/cli.js'), 'test', '--project', project, '--output', join('test-results', project.replaceAll(' ', '-')));
  const passed: boolean[] = [];
  while (projects.length > 0) passed.push(...(await Promise.all(projects.splice(0, 2).map(walk))));
  return passed.every(Boolean);
}

const stages: Stage[] = [
  { name: 'format and lint', run: () => node(bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings') },
  { name: 'route types', run: () => node(bin('@react-router/dev/bin.cjs'), 'typegen') },
  { name: 'types', needs: 'route types', run: () => node(bin('typescript/bin/tsc'), '--noEmit') },
  { name: 'unused code', run: () => node(bin('knip/bin/knip.js')) },
  { name: 'build', run: () => node(join('app', 'start.ts'), 'build') },
  { name: 'unit and architecture tests', needs: 'build', run: () => node(bin('vitest/vitest.mjs'), 'run', '--project', 'unit') },
  { name: 'integration tests', needs: 'build', run: () => node(bin('vitest/vitest.mjs'), 'run', '--project', 'integration') },
  { name: 'hosted mode', needs: 'build', run: () => node(bin('vitest/vitest.mjs'), 'run', '--project', 'hosted') },
  { name: 'kills of the built product', needs: 'build', run: () => node(bin('vitest/vitest.mjs'), 'run', '--project', 'survival') },
  { name: 'a browser', run: browser },
  { name: 'journeys in a browser', needs: 'build', run: journeys },
];

const outcomes: Outcome[] = [];
for (const stage of stages) {
  const needed = outcomes.find((outcome) => outcome.name === stage.needs);
  if (needed !== undefined && needed.result !== 'passed') {
    outcomes.push({ name: stage.name, result: 'left out', seconds: 0 });
    continue;
  }
  say(`\n── ${stage.name}`);
  const began = performance.now();
  const passed = await stage.run().catch((error) => {
    say(String(error instanceof Error ? error.message : error));
    return false;
  });
  outcomes.push({ name: stage.name, result: passed ? 'passed' : 'failed', seconds: (performance.now() - began) / 1000 });
}

say('\nSummary');
for (const { name, result, seconds } of outcomes) say(`  ${result.padEnd(8)}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}`);
const failed = outcomes.filter((outcome) => outcome.result !== 'passed');
say(failed.length === 0 ? '\nAll passed.' : `\nNot passed: ${failed.map((outcome) => outcome.name).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
