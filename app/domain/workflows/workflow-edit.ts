/**
 * The moves of the outline editor over a workflow document: each takes a document and answers a new one, or null where
 * the move makes no sense (first step up, unknown path). A path joins step ids and branch labels: `triage/high/notify`.
 */
import type { StepKind } from '#app/contracts/statuses.ts';
import { renameReferences } from '#app/domain/workflows/edit/rename-references.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

const COMMON = { timeoutSeconds: 30, retries: 2, backoffSeconds: 1, onError: 'fail' } as const;

/** A new step of a kind, with an id that nothing in the document has yet (`tool_1`, `tool_2` …). */
export function newStep(document: WorkflowDocument, kind: StepKind, name: string): Step {
  return STEP_RULES[kind].create({ id: freeId(document, kind), name, ...COMMON });
}

function freeId(document: WorkflowDocument, stem: string): string {
  const taken = new Set([...walkSteps(document.steps)].map(({ step }) => step.id));
  for (let n = 1; ; n += 1) if (!taken.has(`${stem}_${n}`)) return `${stem}_${n}`;
}

/** The list that holds the step at `path`, and its index in it. */
type Place = { list: Step[]; index: number };

function findPlace(steps: Step[], path: string): Place | null {
  const [id, label, ...rest] = path.split('/');
  const index = steps.findIndex((step) => step.id === id);
  const step = steps[index];
  if (step === undefined) return null;
  if (label === undefined) return { list: steps, index };
  if (!('branches' in step) || rest.length === 0) return null;
  const branch = step.branches.find((candidate) => candidate.label === label);
  return branch === undefined ? null : findPlace(branch.steps, rest.join('/'));
}

/** The list at a container path: '' for the outermost, `triage/high` for a branch. */
function findList(steps: Step[], container: string): Step[] | null {
  if (container === '') return steps;
  const cut = container.lastIndexOf('/');
  if (cut === -1) return null;
  const place = findPlace(steps, container.slice(0, cut));
  const step = place?.list[place.index];
  if (step === undefined || !('branches' in step)) return null;
  return step.branches.find((branch) => branch.label === container.slice(cut + 1))?.steps ?? null;
}

/** The steps of a container; null: there is none. */
export function listAt(document: WorkflowDocument, container: string): readonly Step[] | null {
  return findList(document.steps, container);
}

/** The path of a step once it has another id. */
export function pathOfRenamed(path: string, id: string): string {
  const container = containerOf(path);
  return container === '' ? id : `${container}/${id}`;
}

/** The container of a path: '' or `<branch step path>/<label>`. */
export function containerOf(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, -1).join('/');
}

export function stepAt(document: WorkflowDocument, path: string): Step | null {
  const place = findPlace(document.steps, path);
  return place === null ? null : (place.list[place.index] ?? null);
}

function edited(document: WorkflowDocument, edit: (steps: Step[]) => boolean): WorkflowDocument | null {
  const copy = structuredClone(document);
  return edit(copy.steps) ? copy : null;
}

/** Puts a step at the end of a container, or right after `after` when that is in it. */
export function addStep(document: WorkflowDocument, container: string, step: Step, after?: string): WorkflowDocument | null {
  return edited(document, (steps) => {
    const list = findList(steps, container);
    if (list === null) return false;
    const index = after === undefined ? -1 : list.findIndex((candidate) => candidate.id === after);
    list.splice(index === -1 ? list.length : index + 1, 0, step);
    return true;
  });
}

/**
 * Where a new step goes that was asked for at a place; without `at`, at the end of the container. The steps for a bad end of the run stand last,
 * and nothing stands behind them.
 */
export function placeOfNew(
  { steps }: WorkflowDocument,
  step: Step,
  { container, at }: { container: string; at?: number | undefined },
): { container: string; at?: number | undefined } {
  if (cleanupOf([step]) !== undefined) return { container: '', at: steps.length };
  const most = cleanupOf(steps) === undefined ? steps.length : steps.length - 1;
  return container === '' ? { container, at: Math.min(at ?? most, most) } : { container, at };
}

/** Puts steps into a container, so that the first of them gets this index. */
export function insertSteps(
  document: WorkflowDocument,
  container: string,
  index: number,
  inserted: readonly Step[],
): WorkflowDocument | null {
  return edited(document, (steps) => {
    const list = findList(steps, container);
    if (list === null || index > list.length) return false;
    list.splice(index, 0, ...inserted);
    return true;
  });
}

export function removeStep(document: WorkflowDocument, path: string): WorkflowDocument | null {
  return edited(document, (steps) => {
    const place = findPlace(steps, path);
    if (place === null) return false;
    place.list.splice(place.index, 1);
    return true;
  });
}

export function replaceStep(document: WorkflowDocument, path: string, step: Step): WorkflowDocument | null {
  return edited(document, (steps) => {
    const place = findPlace(steps, path);
    if (place === null) return false;
    place.list[place.index] = step;
    return true;
  });
}

/** One place up or down among its neighbours. */
export function moveStep(document: WorkflowDocument, path: string, direction: 'up' | 'down'): WorkflowDocument | null {
  return edited(document, (steps) => {
    const place = findPlace(steps, path);
    if (place === null) return false;
    const target = place.index + (direction === 'up' ? -1 : 1);
    const [step] = place.list.slice(place.index, place.index + 1);
    if (step === undefined || target < 0 || target >= place.list.length) return false;
    place.list.splice(place.index, 1);
    place.list.splice(target, 0, step);
    return true;
  });
}

/** Into the first branch of the branch step right before it. */
export function nestStep(document: WorkflowDocument, path: string): WorkflowDocument | null {
  return edited(document, (steps) => {
    const place = findPlace(steps, path);
    const before = place?.list[place.index - 1];
    const step = place?.list[place.index];
    if (place === null || step === undefined || before === undefined || !('branches' in before)) return false;
    const [first] = before.branches;
    if (first === undefined) return false;
    place.list.splice(place.index, 1);
    first.steps.push(step);
    return true;
  });
}

/** Out of its branch, to right after the branch step that holds it. */
export function unnestStep(document: WorkflowDocument, path: string): WorkflowDocument | null {
  const container = containerOf(path);
  if (container === '') return null;
  return edited(document, (steps) => {
    const place = findPlace(steps, path);
    const holder = findPlace(steps, container.slice(0, container.lastIndexOf('/')));
    const step = place?.list[place.index];
    if (place === null || holder === null || step === undefined) return false;
    place.list.splice(place.index, 1);
    holder.list.splice(holder.index + 1, 0, step);
    return true;
  });
}

/**
 * Copies of steps, each with an id that nothing in the document has. An expression that names the output of a step that is copied too names
 * that of the copy; any other reference stays, and the check reports one that leads nowhere.
 */
export function copiesOf(document: WorkflowDocument, originals: readonly Step[]): Step[] {
  const taken = new Set([...walkSteps(document.steps)].map(({ step }) => step.id));
  const idOfCopy = new Map<string, string>();
  for (const { step } of walkSteps(originals)) {
    const stem = step.id.replace(/_\d+$/, '').slice(0, 34);
    let n = 2;
    while (taken.has(`${stem}_${n}`)) n += 1;
    taken.add(`${stem}_${n}`);
    idOfCopy.set(step.id, `${stem}_${n}`);
  }
  const copied = (step: Step): Step => {
    const copy = { ...renameReferences(structuredClone(step), idOfCopy), id: idOfCopy.get(step.id) ?? step.id };
    if ('branches' in copy) copy.branches = copy.branches.map((branch) => ({ ...branch, steps: branch.steps.map(copied) }));
    return copy;
  };
  return originals.map(copied);
}
