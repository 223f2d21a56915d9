import { useSyncExternalStore } from 'react';
import { afterFrame } from '#app/features/workflows/editor/picture/in-turns.ts';

/** The steps that are chosen together, by their paths; of one workflow at a time, so that opening a step keeps them. Only browsers write it. */
let chosen: { workflow: string; paths: ReadonlySet<string> } = { workflow: '', paths: new Set() };
const NONE: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

export const chosenPaths = (workflow: string): ReadonlySet<string> => (chosen.workflow === workflow ? chosen.paths : NONE);

export function choose(workflow: string, paths: Iterable<string>): void {
  chosen = { workflow, paths: new Set(paths) };
  for (const listener of listeners) listener();
}

export function toggleChosen(workflow: string, path: string): void {
  const paths = new Set(chosenPaths(workflow));
  if (!paths.delete(path)) paths.add(path);
  choose(workflow, paths);
}

export function onChosen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** After the frame: the cards show at once what is chosen, and what tells of it in words is drawn once they are seen. */
const onChosenShown = (listener: () => void) => onChosen(() => afterFrame(listener));

export function useChosenPaths(workflow: string): ReadonlySet<string> {
  return useSyncExternalStore(
    onChosenShown,
    () => chosenPaths(workflow),
    () => NONE,
  );
}
