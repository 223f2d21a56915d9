import { useSyncExternalStore } from 'react';

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

export function useChosenPaths(workflow: string): ReadonlySet<string> {
  return useSyncExternalStore(
    onChosen,
    () => chosenPaths(workflow),
    () => NONE,
  );
}
