/**
 * `npm test` and `npm run test:full`: everything, side by side as far as the machine has room, a summary at the end, and a failing exit
 * code when anything failed. A stage that fails does not keep the others from being seen, except those that need its result.
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

/** Of all that is started here, also of what the tests start: they load the same modules some hundred times. */
const COMPILED = join(root, 'node_modules', '.cache', 'quorate-compiled');

// The passwords of tests are no secrets: at the account service's own cost their hashes are most of what it does.
process.env.LITE_AUTH_BCRYPT_COST = '4';

/** `room`: how much of the machine it keeps busy, of `ROOM`; without it, all of it: nothing runs beside it. */
type Stage = { name: string; needs?: readonly string[]; room?: number; run: () => Promise<boolean> };
type Outcome = { name: string; result: 'passed' | 'failed' | 'left out'; seconds: number };

const { full = false, part: wanted = [] } = parseArgs({
  options: { full: { type: 'boolean' }, part: { type: 'string', multiple: true } },
}).values;

/** `whole`: what it prints is printed when it has ended, so that the lines of others do not stand between. */
function node(script: string, args: readonly string[] = [], settings: Record<string, string> = {}, whole = false): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    stdio: ['ignore', whole ? 'pipe' : 'inherit', whole ? 'pipe' : 'inherit'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, CI: 'true', ...settings, ...(full ? { QUORATE_TEST_FULL: 'true' } : {}) },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  return new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)).once('error', () => resolve(false))).finally(
    () => process.stdout.write(printed),
  );
}

const check = (script: string, ...args: string[]) => node(script, args, {}, true);

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

/** Six units of room on two cores. Full runs measure times: most of their stages have all of it. */
const ROOM = 6;
const beside = (room: number) => (full ? ROOM : room);

/** Each has servers, data and a folder for results of its own, and waits a good part of its time: three fill two cores. */
const journeys: Stage[] = browserParts.map((part) => ({
  name: part.name,
  needs: ['data to start from', 'a browser'],
  room: full ? 3 : 2,
  run: () => playwright(part),
}));

const served = { needs: ['data to start from'] };

/** In the order in which they begin, as soon as there is room: the longest first. */
const stages: Stage[] = [
  { name: 'route types', room: 3, run: () => check(bin('@react-router/dev/bin.cjs'), 'typegen') },
  { name: 'format and lint', room: 3, run: () => check(bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings') },
  { name: 'build', room: 3, run: () => check(join('app', 'start.ts'), 'build') },
  // Its threads each check some of the same types again: 60 s of processor instead of 27, and on two cores no sooner.
  { name: 'types', needs: ['route types'], room: 3, run: () => check(bin('typescript/bin/tsc'), '--noEmit', '--singleThreaded') },
  { name: 'unused code', room: 3, run: () => check(bin('knip/bin/knip.js')) },
  { name: 'a browser', room: 1, run: browser },
  { name: 'data to start from', needs: ['build'], room: 3, run: data },
  { name: 'integration tests', ...served, room: beside(4), run: () => vitest('integration') },
  ...journeys.slice(0, 1),
  { name: 'hosted mode, and kills of the built product', ...served, room: beside(2), run: hostedAndKills },
  ...journeys.slice(1),
  { name: 'unit and architecture tests', needs: ['build'], room: beside(4), run: () => vitest('unit') },
];

const stageOf = new Map(stages.map((stage) => [stage.name, stage]));
const unknown = wanted.filter((name) => !stageOf.has(name));
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. There are:\n${[...stageOf.keys()].map((name) => `  ${name}`).join('\n')}`);
  process.exit(1);
}

/** These stages and all that they need, directly or through others. */
function withNeeds(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    found.add(name);
    for (const need of stageOf.get(name)?.needs ?? []) add(need);
  };
  names.forEach(add);
  return found;
}
const chosen = withNeeds(wanted.length === 0 ? [...stageOf.keys()] : wanted);
if (wanted.length === 0) rmSync(join(root, 'test-results'), { recursive: true, force: true });
mkdirSync(join(root, 'test-results'), { recursive: true });

const outcomes = new Map<string, Outcome>();

async function perform({ name, run }: Stage): Promise<void> {
  say(`\n── ${name}`);
  const began = performance.now();
  const passed = await run().catch((error) => {
    say(String(error instanceof Error ? error.message : error));
    return false;
  });
  outcomes.set(name, { name, result: passed ? 'passed' : 'failed', seconds: (performance.now() - began) / 1000 });
}

const waiting = stages.filter(({ name }) => chosen.has(name));
const running = new Map<Stage, Promise<void>>();
while (waiting.length > 0 || running.size > 0) {
  const taken = [...running.keys()].reduce((sum, { room = ROOM }) => sum + room, 0);
  const next = waiting.find(({ needs = [], room = ROOM }) => needs.every((need) => outcomes.has(need)) && taken + room <= ROOM);
  if (next === undefined) {
    await Promise.race(running.values());
    continue;
  }
  waiting.splice(waiting.indexOf(next), 1);
  if (next.needs?.some((need) => outcomes.get(need)?.result !== 'passed'))
    outcomes.set(next.name, { name: next.name, result: 'left out', seconds: 0 });
  else
    running.set(
      next,
      perform(next).finally(() => running.delete(next)),
    );
}

await deleteData();

say('\nSummary');
for (const { name, result, seconds } of outcomes.values()) say(`  ${result.padEnd(8)}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}`);
for (const fault of faults) say(`  failed: ${fault.slice(0, 900)}`);
const failed = [...outcomes.values()].filter((outcome) => outcome.result !== 'passed');
say(failed.length === 0 ? '\nAll passed.' : `\nNot passed: ${failed.map((outcome) => outcome.name).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
