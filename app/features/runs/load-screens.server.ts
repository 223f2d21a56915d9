/** The data of each screen of the area, in one transaction of the member. */

import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage, sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { changeTexts } from '#app/domain/workflows/fields/value-texts.ts';
import type { WorkflowDocument, WorkflowSample } from '#app/domain/workflows/workflow.ts';
import { readOpenQuestion } from '#app/engine/approvals/read-open-question.ts';
import { readBreakGlass } from '#app/engine/control/break-glass.ts';
import { isWatched } from '#app/engine/notifications/is-watched.ts';
import { loadRunAgain } from '#app/engine/runs/load-run-again.ts';
import { readRunSample } from '#app/engine/workflows/read-run-sample.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';
import { loadRunnable } from '#app/features/runs/load-runnable.server.ts';
import { loadPanelStep, shownStep } from '#app/features/runs/panel/load-panel-step.server.ts';
import { shownRun } from '#app/features/runs/shown-run.server.ts';
import { startModeOf } from '#app/features/runs/start-mode.ts';
import { readTracePlace } from '#app/features/runs/trace/trace-place.ts';
import { askForTexts, loadPartialTexts, noPartialTexts } from '#app/features/runs/writing/load-partial-texts.server.ts';

type Context = Readonly<RouterContextProvider>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A run as `url` opens it: its picture and trace, and beside them one step, or the whole run. @throws AppError not_found */
export async function loadRunScreen(context: Context, id: string, url: URL) {
  const { member, read } = context.get(memberContext);
  const { runCeilings } = context.get(servicesContext);
  const place = readTracePlace(url);
  const { found, selected, texts, question, watched, glass } = await read(async (db) => {
    const run = await loadRun(db, id, runCeilings);
    const writes = run.status === 'processing' ? await loadPartialTexts(context, db, id) : noPartialTexts(context);
    const question = await readOpenQuestion(db, id, member.userId);
    const watched = await isWatched(db, member.userId, 'run', id);
    const glass = await readBreakGlass(db, new Date(run.createdAt), run.finishedAt === null ? null : new Date(run.finishedAt));
    return { found: run, selected: await loadPanelStep(context, db, run, place), texts: writes, question, watched, glass };
  });
  // Without scripts this is how a page looks on: the text is there when it is loaded again.
  if (!isTerminalRunStatus(found.status)) await askForTexts(context, { runId: id, workspaceId: member.workspace.id });
  const { run, trace } = shownRun(inReadersLanguage(context, found), place, selected === null);
  return {
    run,
    trace: inReadersLanguage(context, trace),
    place,
    selected: shownStep(context, selected, place),
    texts,
    question,
    watched,
    breakGlass: { changes: glass, mayRead: can(member.roles, 'readChanges') },
    halted: member.workspace.haltedAt !== null,
    mayCancel: run.initiatorId === member.userId || member.roles.includes('builder') || member.roles.includes('admin'),
    mayProve: can(member.roles, 'exportEvidence'),
    mayAuthor: can(member.roles, 'authorWorkflow'),
  };
}
export type LoadedRun = Awaited<ReturnType<typeof loadRunScreen>>;

/** The page before an ended run starts again, from the beginning or from `?step=`. */
export async function loadRunAgainScreen(context: Context, id: string, url: URL) {
  if (!UUID.test(id)) throw new AppError('not_found');
  const { newId } = context.get(servicesContext);
  const again = await context.get(memberContext).read((db) => loadRunAgain(db, id, url.searchParams.get('step')));
  const { trial, ...shown } = inReadersLanguage(context, again);
  return { again: { ...shown, dry: trial?.kind === 'dry', input: valueCutter().json(shown.input) }, requestKey: newId() };
}
export type LoadedRunAgain = Awaited<ReturnType<typeof loadRunAgainScreen>>;

/** The samples that may be filled in, and the one that `?sample=` names by its place, or `taken`, with the fields that the workflow asks for. */
function samplesOf(
  { samples = [], input }: WorkflowDocument,
  url: URL,
  say: (text: string) => string,
  taken: WorkflowSample['input'] | null,
) {
  const wanted = url.searchParams.get('sample');
  const index = samples.findIndex((_, place) => String(place + 1) === wanted);
  const names = new Set(input.map((field) => field.name));
  const filled = Object.entries(taken ?? samples[index]?.input ?? {})
    .filter(([name]) => names.has(name))
    // The form sends its values as they are, so they hold nothing invisible.
    .map(([name, value]) => [name, changeTexts(value, (text) => visibleText(say(text)))] as const);
  return { samples: samples.map(({ name }) => say(name)), sample: index === -1 ? null : index + 1, values: Object.fromEntries(filled) };
}

/**
 * The form that starts a run carries a key of its own, so that posting it twice starts one run. `?run=`: filled in with the input of that run
 * of the workflow. @throws AppError not_found
 */
export async function loadStartScreen(context: Context, id: string, url: URL) {
  const { member, read } = context.get(memberContext);
  const { newId } = context.get(servicesContext);
  const mode = startModeOf(url);
  const from = url.searchParams.get('run');
  const { runnable, taken } = await read(async (db) => ({
    runnable: await loadRunnable(db, id, mode === 'live' ? 'live' : 'test'),
    taken: from === null ? null : await readRunSample(db, id, from),
  }));
  if (from !== null && taken === null) throw new AppError('not_found');
  const say = sayShipped(context);
  return {
    id: runnable.id,
    name: say(runnable.name),
    fields: inReadersLanguage(context, runnable.document.input),
    ...samplesOf(runnable.document, url, say, taken),
    taken: taken !== null,
    revision: runnable.revision,
    paused: mode === 'live' && runnable.paused,
    halted: member.workspace.haltedAt !== null,
    mode,
    requestKey: newId(),
  };
}
