/**
 * `npm test` and `npm run test:full`: everything in order, a summary at the end, and a failing exit code when anything
 * failed. A stage that fails does not keep the later ones from being seen, except those that need its result.
 *
 * The full one keeps its result in `tests/results`, part by part; `--part NAME` (as often as wanted) runs these alone, on what
 * they need.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BROWSER_PARTS, type BrowserPart, FULL_BROWSER_PARTS } from './full-parts.ts';
import { keepResult, readCounts } from './full-result.ts';
import { chromiumVersion, provideChromium } from './support/chromium.ts';
import { prepareData } from './support/running-server.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', name);
const say = (line: string) => process.stdout.write(`${line}\n`);

type Stage = { name: string; needs?: string; run: () => Promise<boolean> };
type Outcome = { name: string; result: 'passed' | 'failed' | 'left out'; seconds: number };

const { full = false, part: wanted = [] } = parseArgs({
  options: { full: { type: 'boolean' }, part: { type: 'string', multiple: true } },
}).values;

function node(script: string, args: readonly string[] = [], settings: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CI: 'true', ...settings, ...(full ? { QUORATE_TEST_FULL: 'true' } : {}) },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)).once('error', () => resolve(false)));
}

let deleteData = async () => {};

async function data(): Promise<boolean> {
  deleteData = await prepareData();
  return true;
}

let browserVersion = '';

async function browser(): Promise<boolean> {
  const path = provideChromium(say);
  browserVersion = chromiumVersion(path);
  say(`${browserVersion} at ${path}`);
  return true;
}

/** What failed, by its file and name: said again at the end, where one looks. */
const faults: string[] = [];

const reportOf = (name: string) => join(root, 'test-results', `${name.replaceAll(' ', '-')}.json`);

/** Runs tests that leave a report of this name; the full ones keep what it says. */
async function counted(name: string, run: () => Promise<boolean>): Promise<boolean> {
  rmSync(reportOf(name), { force: true });
  const began = performance.now();
  const passed = await run();
  const counts = readCounts(reportOf(name));
  if (!passed) faults.push(...counts.failures.map((failure) => `${name}: ${failure}`));
  if (full) keepResult(name, counts, (performance.now() - began) / 1000, browserVersion);
  return passed;
}

function vitest(...projects: string[]): Promise<boolean> {
  const name = projects.join(' and ');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(name)}`];
  const chosen = projects.flatMap((project) => ['--project', project]);
  return counted(name, () => node(bin('vitest/vitest.mjs'), ['run', ...chosen, ...reporters]));
}

/** They wait more than they work: two files at a time. The full ones keep their times, one file of each beside the other. */
async function hostedAndKills(): Promise<boolean> {
  if (!full) return vitest('hosted', 'survival');
  return (await Promise.all([vitest('hosted'), vitest('survival')])).every(Boolean);
}

function playwright({ name, project, shard, settings = {} }: BrowserPart): Promise<boolean> {
  const output = join('test-results', name.replaceAll(' ', '-'));
  const args = ['test', '--project', project, ...(shard ? ['--shard', shard] : []), '--output', output, '--reporter', 'line,json'];
  return counted(name, () => node(bin('@playwright/test/cli.js'), args, { ...settings, PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name) }));
}

const browserParts = full ? FULL_BROWSER_PARTS : BROWSER_PARTS;

/** Each with servers, data and a folder for results of its own. A lane waits a good part of its time: three fill two cores. */
const LANES = full ? 2 : 3;

async function journeys(): Promise<boolean> {
  const waiting = browserParts.filter(({ name }) => isWanted(name));
  let passed = true;
  const lane = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) passed = (await playwright(part)) && passed;
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return passed;
}

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const stages: Stage[] = [
  { name: 'format and lint', run: () => node(bin('@biomejs/biome/bin/biome'), ['ci', '--error-on-warnings']) },
  { name: 'route types', run: () => node(bin('@react-router/dev/bin.cjs'), ['typegen']) },
  { name: 'types', needs: 'route types', run: () => node(bin('typescript/bin/tsc'), ['--noEmit']) },
  { name: 'unused code', run: () => node(bin('knip/bin/knip.js')) },
  { name: 'build', run: () => node(join('app', 'start.ts'), ['build']) },
  { name: 'data to start from', needs: 'build', run: data },
  { name: 'unit and architecture tests', needs: 'build', run: () => vitest('unit') },
  { name: 'integration tests', needs: 'build', run: () => vitest('integration') },
  { name: 'hosted mode, and kills of the built product', needs: 'build', run: hostedAndKills },
  { name: 'a browser', run: browser },
  { name: 'journeys in a browser', needs: 'build', run: journeys },
];

const names = [...stages, ...browserParts].map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. There are:\n${names.map((name) => `  ${name}`).join('\n')}`);
  process.exit(1);
}
// A part needs the build and a browser, and leaves alone what others have left.
const needed = [
  'build',
  'data to start from',
  'a browser',
  ...(browserParts.some(({ name }) => wanted.includes(name)) ? ['journeys in a browser'] : []),
];
const chosen = stages.filter(({ name }) => isWanted(name) || needed.includes(name));
if (wanted.length === 0) rmSync(join(root, 'test-results'), { recursive: true, force: true });
mkdirSync(join(root, 'test-results'), { recursive: true });

const outcomes: Outcome[] = [];
for (const stage of chosen) {
  const before = outcomes.find((outcome) => outcome.name === stage.needs);
  if (before !== undefined && before.result !== 'passed') {
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

await deleteData();

say('\nSummary');
for (const { name, result, seconds } of outcomes) say(`  ${result.padEnd(8)}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}`);
for (const fault of faults) say(`  failed: ${fault.slice(0, 300)}`);
const failed = outcomes.filter((outcome) => outcome.result !== 'passed');
say(failed.length === 0 ? '\nAll passed.' : `\nNot passed: ${failed.map((outcome) => outcome.name).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
