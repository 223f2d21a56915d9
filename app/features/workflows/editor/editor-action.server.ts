import { href, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { duplicateSteps, moveSteps, moveStepsTo, removeSteps, stepsAt } from '#app/domain/workflows/edit/several-steps.ts';
import { readPlace } from '#app/domain/workflows/flow-layout.ts';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type Step, stepSchema } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { addStep, copiesOf, insertSteps, nestStep, newStep, placeOfNew, unnestStep } from '#app/domain/workflows/workflow-edit.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { stepThroughDrafts } from '#app/engine/commands/workflows/step-through-drafts.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { MAX_PASTED } from '#app/features/workflows/editor/picture/pasted-steps.ts';
import { withTarget } from '#app/features/workflows/steps/step-target.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

const revision = z.number().int().min(0);
const one = { revision, path: z.string().max(400) };
/** None: nothing was chosen. */
const several = { revision, path: z.array(z.string().max(400)).max(WORKFLOW_MAX_STEPS).default([]) };
/** The name of a place between steps. */
const place = z
  .string()
  .max(400)
  .regex(/^[^#]*#\d{1,4}$/);

/** The moves of the editor. */
const editorSchema = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('add-step'),
    revision,
    container: z.string().max(400).default(''),
    /** The place that it gets; absent: the last. */
    at: z.number().int().min(0).optional(),
    kind: z.enum(STEP_KINDS),
    name: z.string().trim().min(1).max(120),
    /** `<connection>/<capability>` of a step that calls something. */
    target: z.string().max(260).default(''),
  }),
  z.object({ intent: z.literal('move-to'), ...several, place }),
  z.object({ intent: z.literal('paste-steps'), revision, place, steps: z.string().max(MAX_PASTED) }),
  z.object({ intent: z.literal('move-up'), ...several }),
  z.object({ intent: z.literal('move-down'), ...several }),
  z.object({ intent: z.literal('nest'), ...one }),
  z.object({ intent: z.literal('unnest'), ...one }),
  z.object({ intent: z.literal('duplicate-step'), ...several }),
  z.object({ intent: z.literal('delete-step'), ...several }),
  z.object({ intent: z.literal('undo'), revision }),
  z.object({ intent: z.literal('redo'), revision }),
]);
type EditorMove = z.infer<typeof editorSchema>;

function applyMove(document: WorkflowDocument, move: EditorMove): WorkflowDocument | null {
  switch (move.intent) {
    case 'add-step': {
      const { kind, name, target } = move;
      const step = withTarget(newStep(document, kind, name), target);
      const { container, at } = placeOfNew(document, step, move);
      return at === undefined ? addStep(document, container, step) : insertSteps(document, container, at, [step]);
    }
    case 'move-to':
      return moveStepsTo(document, move.path, ...placeFor(document, move.place, stepsAt(document, move.path)));
    case 'paste-steps': {
      const pasted = readPastedSteps(move.steps);
      return pasted === null ? null : insertSteps(document, ...placeFor(document, move.place, pasted), copiesOf(document, pasted));
    }
    case 'move-up':
      return moveSteps(document, move.path, 'up');
    case 'move-down':
      return moveSteps(document, move.path, 'down');
    case 'nest':
      return nestStep(document, move.path);
    case 'unnest':
      return unnestStep(document, move.path);
    case 'duplicate-step':
      return duplicateSteps(document, move.path);
    case 'delete-step':
      return removeSteps(document, move.path);
    default:
      return null;
  }
}

/** A place by its name, but not behind the steps for a bad end of the run, which stand last. */
function placeFor(document: WorkflowDocument, place: string, [first]: readonly Step[]): [container: string, index: number] {
  const [container, index] = readPlace(place);
  if (first === undefined) return [container, index];
  const { at = index, ...where } = placeOfNew(document, first, { container, at: index });
  return [where.container, at];
}

/** Steps as the editor copies them, also from another workflow: one, or a list. Null: they are none. */
function readPastedSteps(text: string): Step[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return (
      z
        .array(stepSchema)
        .min(1)
        .max(WORKFLOW_MAX_STEPS)
        .safeParse(Array.isArray(value) ? value : [value]).data ?? null
    );
  } catch {
    return null;
  }
}

/** The buttons beside steps have one form together: each says what it does and with which step, as `move-up triage/high/notify`. */
function withMove(form: FormData): FormData {
  const [, intent, path] = /^([a-z-]+) (.*)$/s.exec(String(form.get('move') ?? '')) ?? [];
  if (intent === undefined || path === undefined) return form;
  form.set('intent', intent);
  form.set('path', path);
  return form;
}

/** One move on the draft; the revision that the form was drawn from guards against overwriting someone's work. */
export async function editorAction({ request, params, context }: Arguments) {
  const parsed = await parseFormData(withMove(await request.formData()), editorSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const move = parsed.value;
  const back = href('/dashboard/workflows/:workflow/edit', { workflow: params.workflow });
  if ('path' in move && move.path.length === 0) throw redirectWithNotice(back, 'noStepSelected', { kind: 'attention' });
  if (move.intent === 'paste-steps' && readPastedSteps(move.steps) === null) throw redirectWithNotice(back, 'nothingToPaste');
  let moved: Moved;
  try {
    moved = await performMove({ params, context }, move);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') throw redirectWithNotice(back, 'draftChangedMeanwhile');
    throw error;
  }
  if (moved.unpinned.length > 0)
    throw redirectWithNotice(back, 'pinsRemoved', { kind: 'attention', values: { steps: moved.unpinned.join(', ').slice(0, 200) } });
  if (move.intent === 'delete-step') throw redirectWithNotice(back, move.path.length > 1 ? 'stepsDeleted' : 'stepDeleted');
  if (move.intent !== 'add-step' || move.at === undefined || moved.edit === null) throw redirect(back, 303);
  const added = addedPath(moved.edit);
  throw redirect(href('/dashboard/workflows/:workflow/edit/step/*', { ...params, '*': added }), 303);
}

/** One step as its path; several as a list. */
const stepInLog = (path: string | string[]): string | string[] => (Array.isArray(path) && path.length === 1 ? (path[0] ?? '') : path);

/** The path of the step that the later document has and the earlier one has not. */
function addedPath({ before, document }: Edit): string {
  const known = new Set([...walkSteps(before.steps)].map(({ step }) => step.id));
  return [...walkSteps(document.steps)].find(({ step }) => !known.has(step.id))?.path ?? '';
}

type Edit = { before: WorkflowDocument; document: WorkflowDocument };
/** `edit`: null where it went to another draft. */
type Moved = { edit: Edit | null; unpinned: string[] };

async function performMove({ params, context }: Pick<Arguments, 'params' | 'context'>, move: EditorMove): Promise<Moved> {
  const { workflow } = params;
  const { intent, revision } = move;
  if (intent === 'undo' || intent === 'redo') {
    const { unpinned } = await performAsMember(context, stepThroughDrafts, { workflow, revision, direction: intent });
    return { edit: null, unpinned };
  }
  const draft = await context.get(memberContext).read((db) => loadDraft(db, workflow));
  const document = draft.revision === revision ? applyMove(draft.document, move) : null;
  if (document === null) throw new AppError('conflict');
  const how = { move: intent, step: 'path' in move ? stepInLog(move.path) : null, revision: revision + 1 };
  const { unpinned } = await performAsMember(context, editWorkflow, { workflow, revision, document, how });
  return { edit: { before: draft.document, document }, unpinned };
}
