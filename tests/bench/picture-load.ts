import { flowOf, layoutFlow } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { Line } from '#tests/bench/report.ts';

const ROUNDS = 100;
/** The two sizes that a page carries. */
const ROW_LENGTHS = [840, 1060];

/** Laying out a workflow of 200 steps, for both sizes of its picture. */
export function measurePicture(): Line[] {
  const flow = flowOf(twoHundredSteps());
  for (let round = 0; round < 10; round += 1) for (const length of ROW_LENGTHS) layoutFlow(flow, length);
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) for (const length of ROW_LENGTHS) layoutFlow(flow, length);
  const { user, system } = process.cpuUsage(before);
  return [
    { what: 'layout of 200 steps for both sizes, CPU', value: (user + system) / 1_000 / ROUNDS, unit: 'ms', limit: 50, better: 'less' },
  ];
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
