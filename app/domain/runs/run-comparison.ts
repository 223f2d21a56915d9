import type { StepStatus } from '#app/contracts/statuses.ts';

/** One step of a run, as far as two runs are compared by it. Digests are null where nothing was kept. */
export type ComparedStep = {
  path: string;
  name: string;
  status: StepStatus;
  ms: number | null;
  inputDigest: string | null;
  outputDigest: string | null;
};
/** In which way a step of one run differs from that of another: `none`, or what to look at first. */
export type StepDifference = 'none' | 'status' | 'input' | 'output' | 'onlyHere' | 'onlyThere';
export type ComparedPair = {
  path: string;
  name: string;
  here: ComparedStep | null;
  there: ComparedStep | null;
  difference: StepDifference;
};

/**
 * The steps of two runs beside each other, by their paths. They stand in the order of the first run; a step that only the other run has
 * stands behind the one that it followed there.
 */
export function compareRuns(here: readonly ComparedStep[], there: readonly ComparedStep[]): ComparedPair[] {
  const others = new Map(there.map((step) => [step.path, step]));
  const own = new Set(here.map(({ path }) => path));
  const pairs = here.map((step) => pairOf(step, others.get(step.path) ?? null));
  for (const [index, step] of there.entries()) {
    if (own.has(step.path)) continue;
    const before = there[index - 1]?.path;
    const place = pairs.findIndex(({ path }) => path === before);
    pairs.splice(place + 1, 0, pairOf(null, step));
  }
  return pairs;
}

function pairOf(here: ComparedStep | null, there: ComparedStep | null): ComparedPair {
  const { path = '', name = '' } = here ?? there ?? {};
  return { path, name, here, there, difference: differenceOf(here, there) };
}

function differenceOf(here: ComparedStep | null, there: ComparedStep | null): StepDifference {
  if (here === null) return 'onlyThere';
  if (there === null) return 'onlyHere';
  if (here.status !== there.status) return 'status';
  if (here.inputDigest !== there.inputDigest) return 'input';
  return here.outputDigest === there.outputDigest ? 'none' : 'output';
}
