import { flowOf, layoutFlow } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { Line } from '#tests/bench/report.ts';

const ROUNDS = 100;
/** The three sizes that a page carries. */
const ROW_LENGTHS = [796, 1060, 1500];
const LIMIT_MS = 50;

/** Laying out a workflow of 200 steps, for all sizes of its picture: the first of this process, and one of many. */
export function measurePicture(): Line[] {
  const flow = flowOf(twoHundredSteps());
  const layOut = () => ROW_LENGTHS.map((length) => layoutFlow(flow, length));
  const first = cpuOf(layOut);
  for (let round = 0; round < 10; round += 1) layOut();
  const all = cpuOf(() => {
    for (let round = 0; round < ROUNDS; round += 1) layOut();
  });
  const line = (what: string, value: number): Line => ({ what, value, unit: 'ms', limit: LIMIT_MS, better: 'less' });
  return [line('layout of 200 steps for all sizes, CPU', all / ROUNDS), line('  the first of a process', first)];
}

/** Milliseconds of processor that this takes. */
function cpuOf(work: () => unknown): number {
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
    const inner = () => (depth > 1 ? [plain(), parted(depth - 1)] : [plain(), plain()]);
    const branches = ['yes', 'otherwise'].map((label) => ({ label, when: '', steps: inner() }));
    return { ...common, id: `branch_${made}`, name: `Part ${made}`, kind: 'branch', mode: 'choose', branches };
  };
  const steps: Step[] = [];
  while (made < 191) steps.push(...(steps.length % 20 === 4 ? [parted(2)] : [plain()]));
  while (made < 200) steps.push(plain());
  return steps;
}
