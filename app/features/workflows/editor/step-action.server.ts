import { href, type RouterContextProvider } from 'react-router';
import { type FormReply, invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { inStoredWords } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type Step, stepSchema } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { pathOfRenamed, replaceStep, stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { STEP_SCREENS, stepFromForm } from '#app/features/workflows/steps/step-screens.tsx';
import { targetOf } from '#app/features/workflows/steps/step-target.ts';
import { performAsMember } from '#app/perform.server.ts';

export type StepArguments = {
  request: Request;
  params: { workflow: string; '*': string };
  context: Readonly<RouterContextProvider>;
};
type WrittenStep = { ok: true; step: Step; revision: number; reply: FormReply } | { ok: false; answer: ReturnType<typeof invalidForm> };

/** The step that the form of an earlier one describes, or the answer to a form that describes none. */
export async function readWrittenStep(
  context: StepArguments['context'],
  { draft, step, path }: { draft: WorkflowDraft; step: Step; path: string },
  formData: FormData,
): Promise<WrittenStep> {
  const parsed = await parseFormData(formData, STEP_SCREENS[step.kind].schema);
  if (!parsed.ok) return { ok: false, answer: invalidForm(parsed.reply) };
  const next = stepSchema.safeParse(stepFromForm(step, inStoredWords(context, parsed.value)));
  if (!next.success) {
    const fields = Object.fromEntries(
      next.error.issues.map((issue) => [
        issue.path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join(''),
        ['invalid'],
      ]),
    );
    return { ok: false, answer: invalidForm(parsed.reply, { fieldErrors: fields }) };
  }
  const others = [...walkSteps(draft.document.steps)].filter((place) => place.path !== path && !place.path.startsWith(`${path}/`));
  if (others.some((place) => place.step.id === next.data.id))
    return { ok: false, answer: invalidForm(parsed.reply, { fieldErrors: { id: ['idTaken'] } }) };
  return { ok: true, step: next.data, revision: parsed.value.revision, reply: parsed.reply };
}

/**
 * Saves one step of the draft. What does not fit the tool's schema is saved too and named beside its place: a draft may
 * be unfinished, a version may not. Only what would break the outline itself is refused here.
 */
export async function saveStepAction({ params, context }: StepArguments, formData: FormData) {
  const access = context.get(memberContext);
  const path = params['*'];
  const before = await access.read((db) => loadDraft(db, params.workflow));
  const step = stepAt(before.document, path);
  if (step === null) throw new AppError('not_found');
  const written = await readWrittenStep(context, { draft: before, step, path }, formData);
  if (!written.ok) return written.answer;
  const { step: next, revision, reply } = written;
  const document = replaceStep(before.document, path, next);
  if (document === null) throw new AppError('not_found');
  if (before.revision !== revision) return invalidForm(reply, { formErrors: ['draftChanged'] }, 409);
  try {
    const how = { move: 'save-step', step: path };
    await performAsMember(context, editWorkflow, { workflow: before.id, revision: before.revision, document, how });
  } catch (error) {
    return refusedForm(reply, error);
  }
  const here = pathOfRenamed(path, next.id);
  const catalogue = await access.read((db) => loadCatalogue(db, before.id));
  const issues = checkWorkflow(document, catalogue, parseExpression).filter((issue) => issue.path === here).length;
  const targetChanged = STEP_SCREENS[step.kind].followsTarget && targetOf(step) !== targetOf(next);
  // The step stays open: whoever writes one looks at it again.
  const saved = href('/dashboard/workflows/:workflow/edit/step/*', { workflow: params.workflow, '*': here });
  if (targetChanged) throw redirectWithNotice(saved, 'stepTargetSaved');
  throw redirectWithNotice(saved, issues === 0 ? 'stepSaved' : 'stepSavedWithIssues');
}
