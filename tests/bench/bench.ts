/**
 * `npm run bench`: measures what issue and evidence page claim, on this machine, and prints each figure beside its limit.
 * `--quick` takes seconds instead of minutes and judges nothing. Results are kept in `tests/bench/results`.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBenchWorkspace } from '#tests/bench/bench-workspace.ts';
import { type Line, printTable } from '#tests/bench/report.ts';
import { measureRouting } from '#tests/bench/routing-load.ts';
import { burst, offer, sustain, THREE_STEPS } from '#tests/bench/run-load.ts';
import { build, type ServerUnderTest, startServerUnderTest } from '#tests/bench/server-under-test.ts';
import { startSlowAgent } from '#tests/bench/slow-agent.ts';

const quick = process.argv.includes('--quick');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7);
const wanted = (name: string) => only === undefined || only.split(',').includes(name);
const seconds = quick ? 10 : 60;
const lines: Line[] = [];

if (wanted('routing')) lines.push(...measureRouting());

if (wanted('start')) lines.push(...(await measureStart()));

const dataDir = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
chmodSync(dataDir, 0o711);
try {
  if (!process.argv.includes('--built')) await build();
  const server = await startServerUnderTest(dataDir, { demo: false });
  try {
    const bench = await openBenchWorkspace(server.env);
    try {
      await bench.addBuiltinTools();
      const workflow = await bench.addWorkflow(THREE_STEPS);
      await sustain(bench, workflow, quick ? 2 : 5);
      for (const workers of [0, 1, 2]) {
        if (!wanted(`sustain${workers}`) && !wanted(`offer${workers}`)) continue;
        const ends = [];
        for (let n = 0; n < workers; n += 1) ends.push(await server.startWorker());
        const beside = workers === 0 ? 'server alone' : `server and ${workers} worker${workers > 1 ? 's' : ''}`;
        if (wanted(`sustain${workers}`)) {
          await server.resetLoop();
          const before = server.cpuMs();
          const figures = await sustain(bench, workflow, seconds);
          const after = server.cpuMs();
          const loop = await server.readLoop();
          lines.push({ what: `steps a minute, ${beside}`, value: figures.stepsPerMinute, unit: '', limit: 10_000, better: 'more' });
          lines.push({ what: `  event loop p99 of the web server`, value: loop.loopP99, unit: 'ms', limit: 25, better: 'less' });
          lines.push({
            what: `  CPU a run: processes of the server`,
            value: (after.server - before.server) / figures.runs,
            unit: 'ms',
            limit: null,
            better: 'less',
          });
          lines.push({
            what: `  CPU a run: database`,
            value: (after.database - before.database) / figures.runs,
            unit: 'ms',
            limit: null,
            better: 'less',
          });
          lines.push({ what: `  failed or unfinished runs`, value: figures.failed, unit: '', limit: 0, better: 'less' });
        }
        if (wanted(`offer${workers}`)) {
          await server.resetLoop();
          const figures = await offer(bench, workflow, 60, seconds);
          const loop = await server.readLoop();
          lines.push({
            what: `step start p95 at 10,800 steps a minute, ${beside}`,
            value: figures.startP95,
            unit: 'ms',
            limit: 50,
            better: 'less',
          });
          lines.push({
            what: `  whole run p95 (p50 ${figures.wholeP50.toFixed(0)}, p99 ${figures.wholeP99.toFixed(0)})`,
            value: figures.wholeP95,
            unit: 'ms',
            limit: 150,
            better: 'less',
          });
          lines.push({ what: `  event loop p99 of the web server`, value: loop.loopP99, unit: 'ms', limit: 25, better: 'less' });
          lines.push({
            what: `  failed or unfinished runs`,
            value: figures.failed + figures.unfinished,
            unit: '',
            limit: 0,
            better: 'less',
          });
        }
        await Promise.all(ends.map((end) => end()));
      }
      if (wanted('burst')) lines.push(...(await measureWaiting(server, bench)));
    } finally {
      await bench.close();
    }
  } finally {
    await server.stop();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** A thousand runs at once, each waiting for an agent that takes two seconds. */
async function measureWaiting(server: ServerUnderTest, bench: Awaited<ReturnType<typeof openBenchWorkspace>>): Promise<Line[]> {
  const count = quick ? 200 : 1_000;
  const agent = await startSlowAgent(2_000);
  const [skill] = await bench.addAgent('slow-agent', agent.endpoint);
  const step = {
    id: 'ask',
    name: 'Ask',
    kind: 'agent',
    connection: 'slow-agent',
    capability: skill,
    input: { text: '=input.text', jurisdictions: '["EU"]' },
  };
  const workflow = await bench.addWorkflow({ input: THREE_STEPS.input, steps: [step] });
  await server.resetLoop();
  const figures = await burst(bench, workflow, count);
  const loop = await server.readLoop();
  await agent.stop();
  return [
    {
      what: `${count} runs that each wait 2 s for an agent: most calls under way`,
      value: agent.mostAtOnce(),
      unit: '',
      limit: null,
      better: 'more',
    },
    { what: '  whole run p95', value: figures.wholeP95, unit: 'ms', limit: null, better: 'less' },
    { what: '  all done after', value: figures.allDoneMs, unit: 'ms', limit: null, better: 'less' },
    { what: '  event loop p99 of the web server', value: loop.loopP99, unit: 'ms', limit: 25, better: 'less' },
    { what: '  failed or unfinished runs', value: figures.failed + figures.unfinished, unit: '', limit: 0, better: 'less' },
  ];
}

/** First start with the demo workspace, a later start on the same data, and what it all holds when idle. */
async function measureStart(): Promise<Line[]> {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  chmodSync(directory, 0o711);
  try {
    if (!process.argv.includes('--built')) await build();
    const first = await startServerUnderTest(directory, { demo: true });
    await first.stop();
    const again = await startServerUnderTest(directory, { demo: true });
    await pause(10_000);
    const memory = again.memoryMb();
    await again.stop();
    return [
      { what: 'first start, migrations and demo workspace included', value: first.readyMs, unit: 'ms', limit: 6_000, better: 'less' },
      { what: 'start on existing data', value: again.readyMs, unit: 'ms', limit: 2_000, better: 'less' },
      { what: 'idle memory of everything, database included', value: memory, unit: 'MB', limit: 350, better: 'less' },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

printTable(lines);
const results = fileURLToPath(new URL('./results', import.meta.url));
mkdirSync(results, { recursive: true });
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), node: process.version };
writeFileSync(
  join(results, quick ? 'quick.json' : 'latest.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, seconds, lines }, null, 2)}\n`,
);
if (!quick && lines.some((line) => line.limit !== null && (line.better === 'more' ? line.value < line.limit : line.value > line.limit)))
  process.exitCode = 1;
