/**
 * `npm test` and `npm run test:full`: everything in order, a summary at the end, and a failing exit code when anything
 * failed. A stage that fails does not keep the later ones from being seen, except those that need its result.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumVersion, provideChromium } from './support/chromium.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', name);
const say = (line: string) => process.stdout.write(`${line}\n`);

type Stage = { name: string; needs?: string; run: () => Promise<boolean> };
type Outcome = { name: string; result: 'passed' | 'failed' | 'left out'; seconds: number };

const full = process.argv.includes('--full');

function node(script: string, args: readonly string[] = [], settings: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CI: 'true', ...settings, ...(full ? { QUORATE_TEST_FULL: 'true' } : {}) },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)).once('error', () => resolve(false)));
}

async function browser(): Promise<boolean> {
  const path = provideChromium(say);
  say(`${chromiumVersion(path)} at ${path}`);
  return true;
}

type Report = { testResults?: VitestFile[]; suites?: PlaywrightSuite[] };
type VitestFile = { name: string; status: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] };
type PlaywrightSuite = { file: string; specs: { title: string; ok: boolean }[]; suites?: PlaywrightSuite[] };

/** What failed, by its file and name: said again at the end, where one looks. */
const faults: string[] = [];

const reportOf = (name: string) => join(root, 'test-results', `${name.replaceAll(' ', '-')}.json`);

function noteFaults(name: string): void {
  const report: Report = JSON.parse(readFileSync(reportOf(name), 'utf8'));
  for (const file of report.testResults ?? []) {
    const failed = file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${test.fullName}: ${test.failureMessages[0]?.split('\n')[0] ?? ''}`);
    if (file.status === 'failed' && failed.length === 0) failed.push('could not be run');
    faults.push(...failed.map((test) => `${file.name.replace(`${root}/`, '')} › ${test}`));
  }
  const walk = (suite: PlaywrightSuite): void => {
    for (const { title } of suite.specs.filter((spec) => !spec.ok)) faults.push(`${name}: ${suite.file} › ${title}`);
    suite.suites?.forEach(walk);
  };
  report.suites?.forEach(walk);
}

async function vitest(project: string): Promise<boolean> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(project)}`];
  const passed = await node(bin('vitest/vitest.mjs'), ['run', '--project', project, ...reporters]);
  if (!passed) noteFaults(project);
  return passed;
}

async function playwright(project: string): Promise<boolean> {
  const output = join('test-results', project.replaceAll(' ', '-'));
  const settings = { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(project) };
  const args = ['test', '--project', project, '--output', output, '--reporter', 'list,json'];
  const passed = await node(bin('@playwright/test/cli.js'), args, settings);
  if (!passed) noteFaults(project);
  return passed;
}

/** Two at a time, the longest first, each with a server, data and a folder for results of its own. */
async function journeys(): Promise<boolean> {
  const waiting = ['with scripts', 'screens with scripts', 'without scripts', 'screens without scripts'];
  if (full) waiting.push('scripts late', 'scripts blocked');
  let passed = true;
  const lane = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) passed = (await playwright(project)) && passed;
  };
  await Promise.all([lane(), lane()]);
  return passed;
}

const stages: Stage[] = [
  { name: 'format and lint', run: () => node(bin('@biomejs/biome/bin/biome'), ['ci', '--error-on-warnings']) },
  { name: 'route types', run: () => node(bin('@react-router/dev/bin.cjs'), ['typegen']) },
  { name: 'types', needs: 'route types', run: () => node(bin('typescript/bin/tsc'), ['--noEmit']) },
  { name: 'unused code', run: () => node(bin('knip/bin/knip.js')) },
  { name: 'build', run: () => node(join('app', 'start.ts'), ['build']) },
  { name: 'unit and architecture tests', needs: 'build', run: () => vitest('unit') },
  { name: 'integration tests', needs: 'build', run: () => vitest('integration') },
  { name: 'hosted mode', needs: 'build', run: () => vitest('hosted') },
  { name: 'kills of the built product', needs: 'build', run: () => vitest('survival') },
  { name: 'a browser', run: browser },
  { name: 'journeys in a browser', needs: 'build', run: journeys },
];

rmSync(join(root, 'test-results'), { recursive: true, force: true });
mkdirSync(join(root, 'test-results'));
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
for (const fault of faults) say(`  failed: ${fault}`);
const failed = outcomes.filter((outcome) => outcome.result !== 'passed');
say(failed.length === 0 ? '\nAll passed.' : `\nNot passed: ${failed.map((outcome) => outcome.name).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
