import type { FlowBranch, FlowStep } from '#app/domain/workflows/flow-layout.ts';

/**
 * The later flow with the steps that it no longer has, each behind the step that it followed. A step keeps its path, so marks by path fit both.
 * A branch that was removed stands last; all that was under a step that holds no branches any longer is left out, as it has no place.
 */
export function flowWithRemoved(before: readonly FlowStep[], after: readonly FlowStep[]): FlowStep[] {
  const earlier = new Map(before.map((step) => [step.id, step]));
  const merged = after.map((step) => withRemovedInside(earlier.get(step.id), step));
  let place = 0;
  for (const step of before) {
    const at = merged.findIndex(({ id }) => id === step.id);
    if (at === -1) merged.splice(place++, 0, step);
    else place = at + 1;
  }
  return merged;
}

function withRemovedInside(before: FlowStep | undefined, after: FlowStep): FlowStep {
  if (before?.branches === undefined || after.branches === undefined) return after;
  const earlier = new Map(before.branches.map((branch) => [branch.label, branch]));
  const branches: FlowBranch[] = after.branches.map((branch) => ({
    ...branch,
    steps: flowWithRemoved(earlier.get(branch.label)?.steps ?? [], branch.steps),
  }));
  const kept = new Set(after.branches.map(({ label }) => label));
  return { ...after, branches: [...branches, ...before.branches.filter(({ label, steps }) => !kept.has(label) && steps.length > 0)] };
}
