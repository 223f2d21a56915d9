import type { Step } from '#app/domain/workflows/steps/step.ts';

/** Every step of a document with its path (`screen`, `triage/high/notify`), in the order of the outline. */
export function* walkSteps(steps: readonly Step[], prefix = ''): Generator<{ step: Step; path: string; depth: number }> {
  for (const step of steps) {
    const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
    yield { step, path, depth: path.split('/').length };
    if ('branches' in step) for (const branch of step.branches) yield* walkSteps(branch.steps, `${path}/${branch.label}`);
  }
}
