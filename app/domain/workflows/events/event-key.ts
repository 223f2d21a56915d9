import { loopsOf, pathOverItems } from '#app/domain/workflows/paths/loop-paths.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { takesEvent } from '#app/domain/workflows/steps/wait-step.ts';

/** Longest key: a step as deep as steps may stand, each part of its path with its separator. */
export const EVENT_KEY_MAX_CHARACTERS = 500;

/**
 * Names the place of a run at which an event comes in: the step's id, inside a loop its path with the number of each item, with `~` where the
 * path has a slash (`lines~3~paid`). Ids and labels hold neither.
 */
export const eventKey = (stepId: string, path: string): string => (/\/\d+\//.test(path) ? path.replaceAll('/', '~') : stepId);

/** Whether a workflow with these steps takes an event in under this key, in one of any number of items. */
export function takesEventAt(steps: readonly Step[], key: string): boolean {
  const loops = loopsOf(steps);
  return [...walkSteps(steps)].some(({ step, path }) => {
    if (!takesEvent(step)) return false;
    const over = pathOverItems(path, loops);
    if (!over.includes('*')) return key === step.id;
    const parts = key.split('~');
    const wanted = over.split('/');
    return (
      parts.length === wanted.length &&
      wanted.every((part, index) => (part === '*' ? /^\d{1,5}$/.test(parts[index] ?? '') : part === parts[index]))
    );
  });
}
