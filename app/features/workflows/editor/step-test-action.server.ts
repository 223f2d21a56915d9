import { data, href, redirect } from 'react-router';
import { z } from 'zod';
import { formAsTyped } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { testStep } from '#app/engine/commands/runs/test-step.ts';
import { pinOutput } from '#app/engine/commands/workflows/pin-output.ts';
import { unpinOutput } from '#app/engine/commands/workflows/unpin-output.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { namesAnswer } from '#app/features/workflows/editor/expressions/names-answer.server.ts';
import type { GivenBackForm, TestRefusal } from '#app/features/workflows/editor/given-back-form.ts';
import { NEWEST_RUN } from '#app/features/workflows/editor/load-step-test.server.ts';
import { readWrittenStep, type StepArguments, saveStepAction } from '#app/features/workflows/editor/step-action.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const testSchema = z.object({
  intent: z.literal('test'),
  key: z.uuid(),
  data: z.union([z.literal(NEWEST_RUN), z.coerce.number().int().min(0)]).default(NEWEST_RUN),
});
const intentSchema = z.discriminatedUnion('intent', [
  testSchema,
  z.object({ intent: z.literal('pin'), run: z.uuid() }),
  z.object({ intent: z.literal('unpin'), step: z.string() }),
]);

/** The forms beside a step: its own, which can also get a name into a field, and with `?for=test` what tests it and pins what came of that. */
export async function changeStepAction(args: StepArguments) {
  const formData = await args.request.formData();
  if (new URL(args.request.url).searchParams.get('for') === 'test') return testAction(args, formData);
  return namesAnswer(formData) ?? saveStepAction(args, formData);
}

async function testAction(args: StepArguments, formData: FormData) {
  const parsed = intentSchema.safeParse(Object.fromEntries(formData));
  if (!parsed.success) throw new AppError('invalid_input');
  const { params, context } = args;
  const { workflow, '*': path } = params;
  const page = href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path });
  const wanted = parsed.data;
  if (wanted.intent === 'pin') {
    await performAsMember(context, pinOutput, { workflow, run: wanted.run });
    throw redirectWithNotice(page, 'outputPinned');
  }
  if (wanted.intent === 'unpin') {
    await performAsMember(context, unpinOutput, { workflow, step: wanted.step });
    throw redirectWithNotice(page, 'outputUnpinned');
  }
  return await startTest(args, formData, wanted);
}

/** Tests the step as its form has it, whether that is saved or not. */
async function startTest({ params, context }: StepArguments, formData: FormData, { key, data: source }: z.output<typeof testSchema>) {
  const { workflow, '*': path } = params;
  const draft = await context.get(memberContext).read((db) => loadDraft(db, workflow));
  const saved = stepAt(draft.document, path);
  if (saved === null) throw new AppError('not_found');
  const written = await readWrittenStep(context, { draft, step: saved, path }, formData);
  if (!written.ok) return written.answer;
  const { step, revision } = written;
  const sample = source === NEWEST_RUN ? null : source;
  try {
    const { runId } = await performAsMember(context, testStep, { workflow, revision, path, step, sample, requestKey: key });
    throw redirect(`${href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path })}?test=${runId}#step-test`, 303);
  } catch (error) {
    const refusedTest = refusalOf(error);
    if (refusedTest === null) throw error;
    const status = error instanceof AppError ? error.status : 400;
    return data<GivenBackForm>({ form: formAsTyped(formData), refusedTest }, { status });
  }
}

function refusalOf(error: unknown): TestRefusal | null {
  if (!(error instanceof AppError)) return null;
  const { what } = error.values;
  if (what === 'draftChanged' || what === 'stepIssues' || what === 'queue') return what;
  if (what === 'testData') return error.code === 'over_limit' ? 'tooLarge' : 'testData';
  if (error.code === 'halted') return 'halted';
  return error.code === 'invalid_input' ? 'input' : null;
}
