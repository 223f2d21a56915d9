import { data, href, redirect } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { testStep } from '#app/engine/commands/runs/test-step.ts';
import { pinOutput } from '#app/engine/commands/workflows/pin-output.ts';
import { unpinOutput } from '#app/engine/commands/workflows/unpin-output.ts';
import { NEWEST_RUN } from '#app/features/workflows/editor/load-step-test.server.ts';
import { saveStepAction } from '#app/features/workflows/editor/step-action.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = Parameters<typeof saveStepAction>[0];
/** Why no test was started. */
export type TestRefusal = 'draftChanged' | 'stepIssues' | 'testData' | 'tooLarge' | 'halted' | 'input' | 'queue';

const testSchema = z.object({
  intent: z.literal('test'),
  revision: z.coerce.number().int().min(0),
  key: z.uuid(),
  data: z.union([z.literal(NEWEST_RUN), z.coerce.number().int().min(0)]).default(NEWEST_RUN),
});
const intentSchema = z.discriminatedUnion('intent', [
  testSchema,
  z.object({ intent: z.literal('pin'), run: z.uuid() }),
  z.object({ intent: z.literal('unpin'), step: z.string() }),
]);

/** The forms beside a step: its own, and with `?for=test` those that test it and pin what came of that. */
export function changeStepAction(args: Args) {
  return new URL(args.request.url).searchParams.get('for') === 'test' ? testAction(args) : saveStepAction(args);
}

async function testAction({ request, params, context }: Args) {
  const parsed = intentSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) throw new AppError('invalid_input');
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
  const { revision, key, data: source } = wanted;
  const sample = source === NEWEST_RUN ? null : source;
  try {
    const { runId } = await performAsMember(context, testStep, { workflow, revision, path, sample, requestKey: key });
    throw redirect(`${page}?test=${runId}#step-test`, 303);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    return data({ refusedTest: refused }, { status: error instanceof AppError ? error.status : 400 });
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
