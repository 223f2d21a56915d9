/**
 * `npm run bench`: measures what the product claims, on this machine, and prints each figure beside its limit; some
 * thirty minutes. `-- --quick` takes under two and judges nothing, `-- --only=routing,policies,picture,start,flood,screens,fairness,sustain0,offer2,verification,burst,served,gateway,waiting,dashboard,public,editor,loops,desk` takes parts. A full
 * run is kept in `tests/bench/results/<date>.json` and fails where a limit is missed.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BenchWorkspace, openBenchWorkspace, type Workflow } from '#tests/bench/bench-workspace.ts';
import { measureDesk } from '#tests/bench/desk-load.ts';
import { measureCostOfOrder, measureFairness } from '#tests/bench/fairness-load.ts';
import { measureFlood } from '#tests/bench/flood-load.ts';
import { measureGateway } from '#tests/bench/gateway-load.ts';
import { type HistorySize, WHOLE_HISTORY } from '#tests/bench/history.ts';
import { measureLoops } from '#tests/bench/loop-load.ts';
import { measurePicture } from '#tests/bench/picture/picture-load.ts';
import { measurePolicies } from '#tests/bench/policies-load.ts';
import { measurePublicPage } from '#tests/bench/public-page-load.ts';
import { isMissed, type Line, printTable } from '#tests/bench/report.ts';
import { measureRouting } from '#tests/bench/routing-load.ts';
import { burst, offer, sustain, THREE_STEPS } from '#tests/bench/run-load.ts';
import { measureScreens } from '#tests/bench/screens-load.ts';
import { measureServedCalls, measureWaitingCallers } from '#tests/bench/served-load.ts';
import { build, type ServerUnderTest, startServerUnderTest } from '#tests/bench/server-under-test.ts';
import { startSlowAgent } from '#tests/bench/slow-agent.ts';
import { measureVerification } from '#tests/bench/verification-load.ts';

// before React is loaded: the pages are rendered as the server renders them
process.env.NODE_ENV = 'production';

const quick = process.argv.includes('--quick');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7);
const wanted = (name: string) => only === undefined || only.split(',').includes(name);
const seconds = quick ? 6 : 60;
const RUNS_A_SECOND = 60;
const IDLE_MS = quick ? 3_000 : 10_000;
/** Longer than idle sessions of the database are kept. */
const REST_MS = 70_000;
const SHORT_HISTORY: HistorySize = { ...WHOLE_HISTORY, runs: 1_000, events: 10_000 };
const lines: Line[] = [];
const startedAt = new Date();
const loadBefore = loadavg()[0];

type Stage = { server: ServerUnderTest; bench: BenchWorkspace; workflow: Workflow };
const loopLine = (value: number): Line => ({ what: '  event loop p99 of the web server', value, unit: 'ms', limit: 25, better: 'less' });
const lostLine = (value: number): Line => ({ what: '  failed or unfinished runs', value, unit: '', limit: 0, better: 'less' });

if (!process.argv.includes('--built')) await build();
await part('routing', 'routing decision p95, 200 capabilities', async () => measureRouting());
await part('policies', 'decision by 200 policies', async () => measurePolicies());
await part('picture', 'picture of 200 steps', async () => measurePicture());
await part('start', 'start and idle memory', measureStart);
await part('flood', 'floods of anonymous bodies', measureFloods);
await part('screens', 'screens on a long past', measureLongPast);
await part('desk', 'desk beside open approvals', measureFullDesk);
if (wanted('editor') || wanted('loops')) await withDirectory(measureEditorAndLoops);
await withDirectory(async (directory) => {
  const server = await startServerUnderTest(directory, { demo: false });
  try {
    const bench = await openBenchWorkspace(server.env);
    try {
      await bench.addBuiltinTools();
      const stage = { server, bench, workflow: await bench.addWorkflow(THREE_STEPS) };
      await sustain(bench, stage.workflow, quick ? 2 : 5);
      await part('fairness', 'start behind a backlog', () => measureBehindBacklog(stage));
      await part('fairness', 'throughput of a backlog', () =>
        measureCostOfOrder(bench, stage.workflow, quick ? 1_000 : 10_000, quick ? 4 : 20),
      );
      for (const workers of [0, 1, 2]) await measureWith(workers, stage);
      await part('verification', 'verification of a signed-in request', () => measureVerification(bench));
      await part('burst', 'runs that wait for an agent', () => measureWaiting(stage));
      await part('served', 'calls of served workflows', () => measureServedCalls(server, bench, quick ? 100 : 2_000));
      await part('gateway', 'calls through a gateway', () => measureGateway(server, bench, quick ? 4 : 40));
      await part('waiting', 'callers that wait', () => measureWaitingCallers(server, bench, quick ? 500 : 5_000, quick ? 5 : 20));
      await part('dashboard', 'list of 50 runs for a member', () => measureList(stage));
      await part('public', 'start page, kept', () => measurePublicPage(server.origin, quick ? 3 : 10));
    } finally {
      await bench.close();
    }
  } finally {
    await server.stop();
  }
});

printTable(lines);
process.stdout.write(`Load of the machine before: ${loadBefore?.toFixed(2)}, ${cpus().length} cores.\n`);
const whole = !quick && only === undefined;
if (whole) {
  const results = fileURLToPath(new URL('./results', import.meta.url));
  mkdirSync(results, { recursive: true });
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), node: process.version };
  writeFileSync(
    join(results, `${startedAt.toISOString().slice(0, 10)}.json`),
    `${JSON.stringify({ at: startedAt.toISOString(), machine, loadBefore, seconds, lines }, null, 2)}\n`,
  );
}
process.exit(!quick && lines.some(isMissed) ? 1 : 0);

/** One part that fails is told and does not keep the others from being measured. */
async function part(name: string, what: string, measure: () => Promise<Line[]>): Promise<void> {
  if (!wanted(name)) return;
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${name}\n`);
  try {
    lines.push(...(await measure()));
  } catch (error) {
    process.stderr.write(`${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}\n`);
    lines.push({ what: `${what}: could not be measured`, value: Number.NaN, unit: '', limit: 0, better: 'less' });
  }
}

async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  // so that the database's account gets to its own folder below, as root
  chmodSync(directory, 0o711);
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureWith(workers: number, stage: Stage): Promise<void> {
  if (!wanted(`sustain${workers}`) && !wanted(`offer${workers}`)) return;
  const ends: (() => Promise<void>)[] = [];
  const beside = workers === 0 ? 'server alone' : `server and ${workers} worker${workers > 1 ? 's' : ''}`;
  try {
    for (let n = 0; n < workers; n += 1) ends.push(await stage.server.startWorker());
    await part(`sustain${workers}`, `steps a minute, ${beside}`, () => measureSustained(beside, stage));
    await part(`offer${workers}`, `10,800 steps a minute, ${beside}`, () => measureOffered(beside, stage));
  } finally {
    await Promise.all(ends.map((end) => end()));
  }
}

async function measureBehindBacklog({ server, bench, workflow }: Stage): Promise<Line[]> {
  const other = await openBenchWorkspace(server.env);
  try {
    await other.addBuiltinTools();
    const behind = { bench: other, workflow: await other.addWorkflow(THREE_STEPS) };
    return await measureFairness({ bench, workflow }, behind, quick ? 1_000 : 10_000);
  } finally {
    await other.close();
  }
}

async function measureSustained(beside: string, { server, bench, workflow }: Stage): Promise<Line[]> {
  await server.resetLoop();
  const before = server.cpuMs();
  const figures = await sustain(bench, workflow, seconds);
  const after = server.cpuMs();
  const { loopP99 } = await server.readLoop();
  const perRun = (used: number) => used / figures.runs;
  return [
    { what: `steps a minute (aim 20,000), ${beside}`, value: figures.stepsPerMinute, unit: '', limit: 10_000, better: 'more' },
    loopLine(loopP99),
    { what: '  CPU a run, web server', value: perRun(after.server - before.server), unit: 'ms', limit: null, better: 'less' },
    { what: '  CPU a run, database', value: perRun(after.database - before.database), unit: 'ms', limit: null, better: 'less' },
    lostLine(figures.failed),
  ];
}

async function measureOffered(beside: string, { server, bench, workflow }: Stage): Promise<Line[]> {
  await server.resetLoop();
  const figures = await offer(bench, workflow, RUNS_A_SECOND, seconds);
  const { loopP99 } = await server.readLoop();
  return [
    { what: `step start p95 at 10,800 steps a minute, ${beside}`, value: figures.startP95, unit: 'ms', limit: 50, better: 'less' },
    {
      what: `  whole run p95 (p50 ${figures.wholeP50.toFixed(0)}, p99 ${figures.wholeP99.toFixed(0)})`,
      value: figures.wholeP95,
      unit: 'ms',
      limit: 150,
      better: 'less',
    },
    loopLine(loopP99),
    lostLine(figures.failed + figures.unfinished),
  ];
}

/** A thousand runs at once, each waiting for an agent that answers two seconds after the last of them has asked. */
async function measureWaiting({ server, bench }: Stage): Promise<Line[]> {
  const count = quick ? 200 : 1_000;
  const agent = await startSlowAgent(2_000, count);
  try {
    const [skill] = await bench.addAgent('slow-agent', agent.endpoint);
    const step = {
      id: 'ask',
      name: 'Ask',
      kind: 'agent',
      connection: 'slow-agent',
      capability: skill,
      input: { text: '=input.text', jurisdictions: '=["EU"]' },
    };
    const workflow = await bench.addWorkflow({ input: THREE_STEPS.input, steps: [step] });
    await server.resetLoop();
    const figures = await burst(bench, workflow, count);
    const { loopP99 } = await server.readLoop();
    return [
      {
        what: `${count} runs that each wait 2 s for an agent: all done after`,
        value: figures.allDoneMs,
        unit: 'ms',
        limit: null,
        better: 'less',
      },
      { what: '  most calls under way at once', value: agent.mostAtOnce(), unit: '', limit: count, better: 'more' },
      { what: '  whole run p95', value: figures.wholeP95, unit: 'ms', limit: null, better: 'less' },
      loopLine(loopP99),
      lostLine(figures.failed + figures.unfinished),
    ];
  } finally {
    await agent.stop();
  }
}

async function measureList({ server, bench }: Stage): Promise<Line[]> {
  const { measureDashboard } = await import('#tests/bench/dashboard-load.ts');
  return measureDashboard(bench, () => server.cpuMs().database, { requests: quick ? 200 : 1_000 });
}

function measureFloods(): Promise<Line[]> {
  return withDirectory(async (directory) => {
    const server = await startServerUnderTest(directory, { demo: false, settings: { TRUST_PROXY: 'loopback' } });
    try {
      return await measureFlood(server);
    } finally {
      await server.stop();
    }
  });
}

/**
 * First start with the demo workspace, a later start on the same data, and what it all holds when idle: after the first start, whose sample
 * runs have loaded all that runs need, once it has given back what waits for the next one; and after the later one.
 */
function measureStart(): Promise<Line[]> {
  return withDirectory(async (directory) => {
    const first = await startServerUnderTest(directory, { demo: true });
    while (existsSync(join(directory, 'demo-runs.pending.json'))) await pause(500);
    await pause(quick ? IDLE_MS : REST_MS);
    const afterRuns = first.memoryMb();
    await first.stop();
    const again = await startServerUnderTest(directory, { demo: true });
    await pause(IDLE_MS);
    const memory = again.memoryMb();
    await again.stop();
    return [
      { what: 'first start, migrations and demo workspace included', value: first.readyMs, unit: 'ms', limit: 6_000, better: 'less' },
      { what: 'start on existing data', value: again.readyMs, unit: 'ms', limit: 2_000, better: 'less' },
      { what: 'idle memory of everything, database included', value: memory, unit: 'MB', limit: 350, better: 'less' },
      { what: '  after the sample runs of the first start', value: afterRuns, unit: 'MB', limit: 350, better: 'less' },
    ];
  });
}

/** A server with people who can sign in, one of whom builds in the bench's workspace. */
async function measureEditorAndLoops(directory: string): Promise<void> {
  const server = await startServerUnderTest(directory, { demo: true });
  try {
    // Its sample runs would be measured too.
    while (existsSync(join(directory, 'demo-runs.pending.json'))) await pause(500);
    const accounts: { email: string; password: string; roles: string[] }[] = JSON.parse(
      readFileSync(join(directory, 'demo-accounts.json'), 'utf8'),
    );
    const builder = accounts.find(({ roles }) => roles.includes('builder'));
    if (builder === undefined) throw new Error('nobody builds');
    const bench = await openBenchWorkspace(server.env);
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    try {
      await bench.addBuiltinTools();
      await bench.addBuilder(builder.email);
      const { measureEditor } = await import('#tests/bench/editor-load.ts');
      await part('editor', 'editing 200 steps', () => measureEditor(origin, bench, builder, quick ? 1 : 3));
      await part('loops', 'a loop over many items', () =>
        measureLoops(origin, bench, builder, { items: quick ? 1_000 : 10_000, samples: quick ? 5 : 40 }),
      );
    } finally {
      await bench.close();
    }
  } finally {
    await server.stop();
  }
}

/** The approver's desk, beside more open approvals than a person gets through. */
function measureFullDesk(): Promise<Line[]> {
  return withDirectory(async (directory) => {
    const server = await startServerUnderTest(directory, { demo: true });
    try {
      // Its sample runs would be measured too.
      while (existsSync(join(directory, 'demo-runs.pending.json'))) await pause(500);
      return await measureDesk(directory, server, { open: 10_000, samples: quick ? 5 : 40, votes: quick ? 5 : 40 });
    } finally {
      await server.stop();
    }
  });
}

/** The dashboard on years of work, and on the same server what a person feels in a browser. */
function measureLongPast(): Promise<Line[]> {
  return withDirectory((directory) =>
    measureScreens(
      directory,
      quick ? SHORT_HISTORY : WHOLE_HISTORY,
      { samples: quick ? 2 : 20, filters: !quick },
      async (origin, admin) => {
        const { measureInteractions } = await import('#tests/bench/interaction-load.ts');
        await part('screens', 'interactions in a browser', () => measureInteractions(origin, admin));
      },
    ),
  );
}
