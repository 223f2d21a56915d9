import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';

/** The paths of the steps that run others several times, outermost first. */
export function loopsOf(steps: readonly Step[]): string[] {
  return [...walkSteps(steps)].filter(({ step }) => STEP_RULES[step.kind].repeats).map(({ path }) => path);
}

/** A step's path for all items of its loops together: a star stands where the journal has the number of an item. */
export function pathOverItems(path: string, loops: readonly string[]): string {
  const around = loops.filter((loop) => path.startsWith(`${loop}/`));
  // From the innermost on, so that the places of the others stay where they are.
  return around.toReversed().reduce((at, loop) => `${at.slice(0, loop.length)}/*${at.slice(at.indexOf('/', loop.length + 1))}`, path);
}
