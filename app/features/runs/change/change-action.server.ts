import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { refusedStart } from '#app/components/form/refused-start.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { type DiffLine, diffLines } from '#app/components/value/diff-lines.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { continueChanged } from '#app/engine/commands/runs/continue-changed.ts';
import { readChange, readChangeable } from '#app/engine/runs/changed-data.ts';
import { loadRunAgain } from '#app/engine/runs/load-run-again.ts';
import { changeSchema } from '#app/features/runs/change/change-schema.ts';
import { placeIn } from '#app/features/runs/change/load-change.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { run: string }; context: Readonly<RouterContextProvider> };
/** `form`: refused, with what was typed. `lines`: the difference of `text` from the data, whose digest is `shown`. */
export type ChangeAnswer = { form: FormResult | undefined; text: string; lines: DiffLine[] | null; shown: string };

/** Shows what the typed data changes; the same data posted again with `start` continues the run with it, once for each key. */
export async function changeAction({ request, params, context }: Args) {
  const url = new URL(request.url);
  const [step, place] = [url.searchParams.get('step'), placeIn(url)];
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'authorWorkflow');
  const parsed = await parseForm(request, changeSchema);
  if (!parsed.ok) return refused(invalidForm(parsed.reply));
  const { data: text, shown, key, intent } = parsed.value;
  if (step === null || place === null) throw new AppError('not_found');
  try {
    const given = await read(async (db) => readChangeable(db, await loadRunAgain(db, params.run, step, true), place));
    const change = readChange(given, text);
    const lines = diffLines(JSON.stringify(given.value, null, 2), JSON.stringify(change.value, null, 2));
    // Only data whose difference was shown is started with.
    if (intent === 'compare' || shown !== change.after) return data<ChangeAnswer>({ form: undefined, text, lines, shown: change.after });
    const { runId } = await performAsMember(context, continueChanged, { run: params.run, step, place, data: text, requestKey: key });
    return redirect(href('/dashboard/runs/:run', { run: runId }), 303);
  } catch (error) {
    if (error instanceof Refusal) return refused(refusedForm(parsed.reply, error), text);
    return refused(refusedStart(parsed.reply, error, { paused: 'workflowPaused' }), text);
  }
}

function refused(answer: ReturnType<typeof invalidForm>, text = '') {
  return data<ChangeAnswer>({ form: answer.data, text, lines: null, shown: '' }, answer.init ?? 400);
}
