import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { containerOf } from '#app/domain/workflows/workflow-edit.ts';

/** Index and number of the steps in the list that holds a step. */
export function placeOf(steps: readonly Step[], path: string): { index: number; count: number } {
  const beside = [...walkSteps(steps)].filter((other) => containerOf(other.path) === containerOf(path));
  return { index: beside.findIndex((other) => other.path === path), count: beside.length };
}
