import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { containerOf, listAt } from '#app/domain/workflows/workflow-edit.ts';

type Place = { step: Step; path: string };

/** The step that an edit gave another id: the only one that is gone, with the only new one of its kind at its place. Null: there is none. */
export function renamedStep(before: WorkflowDocument, after: WorkflowDocument): { from: string; to: string } | null {
  const [gone, ...otherGone] = missingIn(before, after);
  const [come, ...otherCome] = missingIn(after, before);
  if (gone === undefined || come === undefined || otherGone.length > 0 || otherCome.length > 0) return null;
  return placeOf(before, gone) === placeOf(after, come) ? { from: gone.step.id, to: come.step.id } : null;
}

function missingIn(document: WorkflowDocument, other: WorkflowDocument): Place[] {
  const ids = new Set([...walkSteps(other.steps)].map(({ step }) => step.id));
  return [...walkSteps(document.steps)].filter(({ step }) => !ids.has(step.id));
}

/** Where a step of which kind stands. */
const placeOf = (document: WorkflowDocument, { step, path }: Place): string =>
  `${step.kind} ${containerOf(path)}#${listAt(document, containerOf(path))?.indexOf(step)}`;
