/**
 * Moves of several steps of a workflow at once. Each takes a document and the paths of steps, and returns a new document, or null where the move
 * makes no sense. A step inside another chosen one goes with it.
 */

import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { containerOf, copiesOf, insertSteps, listAt, moveStep, removeStep, stepAt } from '#app/domain/workflows/workflow-edit.ts';

/** The chosen paths that there are, in the order of the document, without those inside another chosen one. */
export function outermostPaths(document: WorkflowDocument, paths: readonly string[]): string[] {
  const chosen = new Set(paths);
  const isInside = (path: string): boolean => {
    const holder = containerOf(containerOf(path));
    return holder !== '' && (chosen.has(holder) || isInside(holder));
  };
  return [...walkSteps(document.steps)].map(({ path }) => path).filter((path) => chosen.has(path) && !isInside(path));
}

export function stepsAt(document: WorkflowDocument, paths: readonly string[]): Step[] {
  return outermostPaths(document, paths).flatMap((path) => stepAt(document, path) ?? []);
}

export function removeSteps(document: WorkflowDocument, paths: readonly string[]): WorkflowDocument | null {
  return inTurn(document, outermostPaths(document, paths), removeStep);
}

/** One place up or down, each among its neighbours. Those at the edge stay, and so do those right behind them. */
export function moveSteps(document: WorkflowDocument, paths: readonly string[], direction: 'up' | 'down'): WorkflowDocument | null {
  const outermost = outermostPaths(document, paths);
  const chosen = new Set(outermost);
  const inOrder = direction === 'up' ? outermost : outermost.toReversed();
  let moved: WorkflowDocument | null = null;
  for (const path of inOrder) {
    const now: WorkflowDocument = moved ?? document;
    const container = containerOf(path);
    const list = listAt(now, container) ?? [];
    const index = list.findIndex((step) => path === pathIn(container, step));
    const neighbour = list[index + (direction === 'up' ? -1 : 1)];
    // One that is chosen too and is still beside this one could not move.
    if (neighbour !== undefined && !chosen.has(pathIn(container, neighbour))) moved = moveStep(now, path, direction) ?? moved;
  }
  return moved;
}

/** To another place, one behind the other: before the step that has this index in a container now, or behind its last one. */
export function moveStepsTo(
  document: WorkflowDocument,
  paths: readonly string[],
  container: string,
  index: number,
): WorkflowDocument | null {
  const chosen = outermostPaths(document, paths);
  const list = listAt(document, container);
  if (chosen.length === 0 || list === null || index > list.length) return null;
  if (chosen.some((path) => container === path || container.startsWith(`${path}/`))) return null;
  const before = list.slice(0, index).filter((step) => chosen.includes(pathIn(container, step))).length;
  const without = removeSteps(document, chosen);
  return without === null ? null : insertSteps(without, container, index - before, stepsAt(document, chosen));
}

/** Copies behind the last chosen step of each list. */
export function duplicateSteps(document: WorkflowDocument, paths: readonly string[]): WorkflowDocument | null {
  const chosen = outermostPaths(document, paths);
  // Made together, so that a copy that names the output of another chosen step names that of its copy.
  const copies = copiesOf(document, stepsAt(document, chosen));
  const copyOf = new Map(chosen.map((path, index) => [path, copies[index]]));
  const containers = [...new Set(chosen.map(containerOf))];
  return inTurn(document, containers, (now, container) => {
    const here = chosen.filter((path) => containerOf(path) === container);
    const last = listAt(now, container)?.findIndex((step) => pathIn(container, step) === here.at(-1));
    return last === undefined
      ? null
      : insertSteps(
          now,
          container,
          last + 1,
          here.flatMap((path) => copyOf.get(path) ?? []),
        );
  });
}

const pathIn = (container: string, { id }: Step): string => (container === '' ? id : `${container}/${id}`);

/** One move after the other; null as soon as one makes no sense, or where there is none. */
function inTurn<Each>(
  document: WorkflowDocument,
  each: readonly Each[],
  move: (document: WorkflowDocument, one: Each) => WorkflowDocument | null,
): WorkflowDocument | null {
  return each.reduce<WorkflowDocument | null>((now, one) => (now === null ? null : move(now, one)), each.length === 0 ? null : document);
}
