import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';

/** The branches that run at the same time as the one that this path lies in, as paths. */
export function placesBeside(steps: readonly Step[], from: string): string[] {
  return [...walkSteps(steps)].flatMap(({ step, path }) =>
    'mode' in step && 'branches' in step && step.mode === 'parallel' && from.startsWith(`${path}/`)
      ? step.branches.map(({ label }) => `${path}/${label}`).filter((place) => !from.startsWith(`${place}/`))
      : [],
  );
}
