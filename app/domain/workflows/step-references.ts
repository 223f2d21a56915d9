/** True when two places lie in different branches of one branch step: neither runs before the other. */
export function areSiblingsInBranches(a: string, b: string): boolean {
  const left = a.split('/');
  const right = b.split('/');
  let i = 0;
  while (i < left.length && i < right.length && left[i] === right[i]) i += 1;
  // odd places are branch labels
  return i % 2 === 1 && i < left.length && i < right.length;
}

/** True when a step runs inside one of the loops (paths) and the place that names it does not: there the step has no single output. */
export function isInOtherLoop(step: string, place: string, loops: readonly string[]): boolean {
  return loops.some((loop) => step.startsWith(`${loop}/`) && !place.startsWith(`${loop}/`));
}

/** Circles of steps that refer to one another, each as the ids along it. */
export function cyclesOf(references: Map<string, Set<string>>): string[][] {
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string, trail: string[]): void => {
    if (state.get(id) === 'done') return;
    const seen = trail.indexOf(id);
    if (seen !== -1) {
      cycles.push(trail.slice(seen));
      return;
    }
    state.set(id, 'open');
    for (const next of references.get(id) ?? []) visit(next, [...trail, id]);
    state.set(id, 'done');
  };
  for (const id of references.keys()) visit(id, []);
  return cycles;
}
