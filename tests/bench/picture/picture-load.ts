import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flowOf, layoutFlow } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { Line } from '#tests/bench/report.ts';

const ROUNDS = 100;
/** The three sizes that a page carries. */
const ROW_LENGTHS = [796, 1060, 1500];
const LIMIT_MS = 50;
/** Each draws once: the first drawing is what is looked at. */
const PROCESSES = 7;

/**
 * A workflow of 200 steps laid out for all sizes of its picture: the first of this process, and one of many. And its picture, layout included: as
 * the first thing that a process draws, the first one of a server that has started, and one of many.
 */
export async function measurePicture(): Promise<Line[]> {
  const flow = flowOf(twoHundredSteps());
  const layOut = () => ROW_LENGTHS.map((length) => layoutFlow(flow, length));
  const first = cpuOf(layOut);
  for (let round = 0; round < 10; round += 1) layOut();
  const all = cpuOf(() => {
    for (let round = 0; round < ROUNDS; round += 1) layOut();
  });
  const line = (what: string, value: number): Line => ({ what, value, unit: 'ms', limit: LIMIT_MS, better: 'less' });
  const { cold, started } = await measureDrawing();
  return [
    line('layout of 200 steps for all sizes, CPU', all / ROUNDS),
    line('  the first of a process', first),
    line('layout and drawing of 200 steps, CPU', middle(started.map(({ warm }) => warm))),
    line('  the first picture of a server that has started', middle(started.map((one) => one.first))),
    {
      what: '  as the first thing at all that a process draws',
      value: middle(cold.map((one) => one.first)),
      unit: 'ms',
      limit: null,
      better: 'less',
    },
  ];
}

type Drawing = { first: number; warm: number };

/** In processes of a build of their own, as a server draws: React for production, our files compiled. */
async function measureDrawing(): Promise<{ cold: Drawing[]; started: Drawing[] }> {
  const { build } = await import('vite');
  const { iconPlugin } = await import('#app/components/icon/icon-plugin.ts');
  const root = join(import.meta.dirname, '../../..');
  // Beside the texts of the build.
  const outDir = join(root, 'build', 'picture');
  const texts = { name: 'page-texts', enforce: 'pre' as const, resolveId: (id: string) => (id === 'react-i18next' ? TEXTS : undefined) };
  try {
    await build({
      configFile: false,
      root,
      mode: 'production',
      logLevel: 'error',
      publicDir: false,
      plugins: [texts, iconPlugin],
      ssr: { noExternal: true },
      build: { ssr: join(import.meta.dirname, 'draw.tsx'), outDir, rolldownOptions: { output: { entryFileNames: 'draw.js' } } },
    });
    const runs = { cold: [] as Drawing[], started: [] as Drawing[] };
    for (let run = 0; run < PROCESSES; run += 1)
      for (const [kind, flags] of [['cold', []] as const, ['started', ['--started']] as const]) {
        const env = { ...process.env, NODE_ENV: 'production' };
        const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'draw.js'), ...flags], { env });
        runs[kind].push(JSON.parse(stdout) as Drawing);
      }
    return runs;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Pages read their texts by this module (vite.config.ts). */
const TEXTS = join(import.meta.dirname, '../../../app/platform/i18n/react-texts.ts');

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds of processor that this takes. */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A fifth of them in branches two deep. */
export function twoHundredSteps(): Step[] {
  const common = { timeoutSeconds: 30, retries: 0, backoffSeconds: 1, onError: 'fail' } as const;
  let made = 0;
  const plain = (): Step => {
    made += 1;
    return { ...common, id: `step_${made}`, name: `Look at part ${made} of the request`, kind: 'transform', expression: 'input' };
  };
  const parted = (depth: number): Step => {
    made += 1;
    const own = made;
    const inner = () => (depth > 1 ? [plain(), parted(depth - 1)] : [plain(), plain()]);
    const branches = ['yes', 'otherwise'].map((label) => ({ label, when: '', steps: inner() }));
    return { ...common, id: `branch_${own}`, name: `Part ${own}`, kind: 'branch', mode: 'choose', branches };
  };
  const steps: Step[] = [];
  while (made < 191) steps.push(...(steps.length % 20 === 4 ? [parted(2)] : [plain()]));
  while (made < 200) steps.push(plain());
  return steps;
}
