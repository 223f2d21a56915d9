import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import type { PlainlyStarted, PlainStart, RunAsk, RunEnd, RunIdentity, ServedRun } from '#app/contracts/runs.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { plainRunName } from '#app/domain/runs/subject/subject-text.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import { perform, requireAllowed } from '#app/engine/commands/perform.ts';
import { cancelRun } from '#app/engine/commands/runs/cancel-run.ts';
import type { Started } from '#app/engine/commands/runs/define-start.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import type { UploadDeps } from '#app/engine/documents/accept-upload.ts';
import { readFirstAsks } from '#app/engine/runs/read-asks.ts';
import { checkRunInput, remainingQuota } from '#app/engine/runs/start-run.ts';
import { startSubject } from '#app/engine/runs/texts/make-subject.ts';
import { type Caller, keyPrincipal, type ServingDeps } from '#app/engine/serving/caller.ts';
import { withUploads } from '#app/engine/serving/served-uploads.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

const servedRuns = (db: Db, workspaceId: string) =>
  db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('r.workspace_id', '=', workspaceId)
    .select([
      'r.id',
      'r.number',
      'r.subject',
      'r.artifact_id as workflowId',
      'a.name as workflow',
      'r.status',
      'r.mode',
      'r.input',
      'r.output',
      'r.error',
      'r.request_key as requestKey',
      'r.created_at as createdAt',
      'r.updated_at as updatedAt',
      'r.finished_at as finishedAt',
    ]);

async function withAsks(db: Db, rows: readonly (Omit<ServedRun, 'ask' | 'subject'> & { subject: Json | null })[]): Promise<ServedRun[]> {
  const waiting = rows.filter(({ status }) => status === 'waiting').map(({ id }) => id);
  const asks = await readFirstAsks(db, waiting);
  return rows.map((row) => {
    const ask = asks.get(row.id);
    return { ...row, subject: readSubject(row.subject), ask: ask === undefined ? null : { what: ask.what, id: ask.id } };
  });
}

/** No caller pages through more than these to learn how many there are. */
const MOST_COUNTED = 10_000;

/** Milliseconds, as callers see times: equal times are ordered by the run's id. */
const changedAt = sql<Date>`date_trunc('milliseconds', r.updated_at)`;

/**
 * Live runs of one workflow that the caller may see, last changed first, after the place `after`; `narrow` adds conditions of the caller's
 * own. A run that changes meanwhile moves to the front, and none that did not is left out.
 */
export async function listServedRuns(
  caller: Caller,
  {
    workflowId,
    after,
    limit,
    narrow,
  }: { workflowId: string; after: { updatedAt: Date; id: string } | null; limit: number; narrow: Expression<SqlBool>[] },
): Promise<{ runs: ServedRun[]; total: number }> {
  return caller.read(async (db) => {
    const meant = servedRuns(db, caller.key.workspace.id)
      .where('r.artifact_id', '=', workflowId)
      .where('r.mode', '=', 'live')
      .where((eb) => eb.and(narrow));
    const counted = await db
      .selectFrom(meant.clearSelect().select('r.id').limit(MOST_COUNTED).as('counted'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const page =
      after === null ? meant : meant.where(sql<SqlBool>`(${changedAt}, r.id) < (${after.updatedAt}::timestamptz, ${after.id}::uuid)`);
    const rows = await page.orderBy(changedAt, 'desc').orderBy('r.id', 'desc').limit(limit).execute();
    return { runs: await withAsks(db, rows), total: counted.total };
  });
}

/**
 * The page on which a person gives what the run waits for: the approval, the form, the sign-in, or the run that shows it. A program never decides or fills
 * in a form.
 */
export function askPage(origin: string, { id, ask }: Pick<ServedRun, 'id' | 'ask'>): string {
  if (ask === null || ask.id === null) return `${origin}/dashboard/runs/${id}`;
  return `${origin}/dashboard/${ASK_PAGES[ask.what](ask.id)}`;
}

const ASK_PAGES: Readonly<Record<RunAsk['what'], (id: string) => string>> = {
  approval: (id) => `approvals/${id}`,
  form: (id) => `tasks/${id}`,
  signIn: (id) => `plugins/${id}/sign-in`,
};

const ASK_SENTENCES = {
  approval: 'waits for an approval. A person who may decides it on this page.',
  form: 'waits for a form. The person who is asked fills it in on this page.',
  signIn: 'waits for a sign-in. The person whose account is needed signs in on this page.',
} as const satisfies Record<RunAsk['what'], string>;

/** Text for the caller of a run that waits for a person; the page is named beside it. */
export const askSentence = (run: RunIdentity & { workflow: string }, { what }: RunAsk): string =>
  `“${plainRunName({ ...run, workflow: visibleText(run.workflow) })}” ${ASK_SENTENCES[what]}`;

/**
 * Starts a live run of a published workflow by a key: by one statement, or as everyone does where that finds anything in its way. Returns
 * and throws as `startWorkflow`; `begun`: as it stood at first, where that is known without reading it.
 */
export async function startServedRun(
  caller: Caller,
  deps: UploadDeps & { engine: Pick<Engine, 'openStart'> },
  asked: { workflow: ServedWorkflow; input: { [name: string]: Json }; triggerKind: string; requestKey: string | null },
): Promise<Started & { begun?: ServedRun }> {
  const principal = keyPrincipal(caller);
  requireAllowed(startWorkflow, principal);
  const start = { ...asked, input: await withUploads(principal, deps, asked.workflow.document.input, asked.input) };
  const { workflow, ...what } = start;
  const { id: artifactId, versionId, name } = workflow;
  const place = await openPlainStart(caller.key, deps, start);
  const started = place === null ? null : await caller.startPlainly({ ...what, ...place, artifactId, versionId, name });
  if (started !== null && place !== null)
    return { runId: started.runId, again: false, begun: begunRun({ ...start, subject: place.subject }, started) };
  return perform(startWorkflow, principal, deps, { ...start, mode: 'live' });
}

/** A run as it stood when it was started. */
function begunRun(
  { workflow, input, subject, requestKey }: { workflow: ServedWorkflow; input: Json } & Pick<PlainStart, 'subject' | 'requestKey'>,
  { runId, number, createdAt }: PlainlyStarted,
): ServedRun {
  return {
    id: runId,
    number,
    subject,
    workflowId: workflow.id,
    workflow: workflow.name,
    status: 'pending',
    mode: 'live',
    input,
    output: null,
    error: null,
    requestKey,
    createdAt,
    updatedAt: createdAt,
    finishedAt: null,
    ask: null,
  };
}

const endedRun = (begun: ServedRun, { status, output, error, finishedAt }: RunEnd): ServedRun => ({
  ...begun,
  status,
  output,
  error,
  updatedAt: finishedAt,
  finishedAt,
});

/** Queue place and quota for a start by one statement; null if that start would be refused. */
async function openPlainStart(
  { workspace }: Caller['key'],
  { engine, now }: { engine: Pick<Engine, 'openStart'>; now(): Date },
  { workflow, input }: { workflow: ServedWorkflow; input: { [name: string]: Json } },
): Promise<Pick<PlainStart, 'room' | 'place' | 'belowQuota' | 'subject'> | null> {
  // Files are looked up and taken by the transaction that starts the run.
  if (workflow.document.input.some(takesFiles) || !checkRunInput(workflow.document, input).ok) return null;
  const queue = await engine.openStart(workspace.id, workspace.settings);
  if (queue === null) return null;
  const startedAt = now();
  const subject = await startSubject({ document: workflow.document, mode: 'live', input, startedAt });
  return { ...queue, subject, belowQuota: remainingQuota({ plan: workspace.plan, trial_ends_at: workspace.trialEndsAt }, startedAt) };
}

/** Asks for the end of a run. Nothing where it is over, or asked for already. Throws AppError as `cancelRun`. */
export async function cancelServedRun(caller: Caller, deps: Pick<ServingDeps, 'engine' | 'newId' | 'now'>, runId: string): Promise<void> {
  try {
    await perform(cancelRun, keyPrincipal(caller), deps, { run: runId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
  }
}

/** True when nothing more happens without a person: the run is over, or waits for a decision or a form. */
export const isSettled = (run: ServedRun): boolean => run.ask !== null || isTerminalRunStatus(run.status);

export type Waiting = { waitMs: number; signal?: AbortSignal | undefined; fresh?: boolean; begun?: ServedRun | undefined };
/** The key of a call was checked when its run started: an end within this time is answered as it is told, a later one is read by the key. */
const TOLD_WITHIN_MS = 1_000;
/** Most runs end sooner after they were taken up than it is worth to say that they were. */
const UNDER_WAY_AFTER_MS = 40;

/**
 * The run as it stands, and again whenever its status or what it asks a person for is another one, until it has ended, time is up or the caller has gone.
 * Whoever has seen enough leaves the loop. `quiet`: a caller to whom a run under way is all the same. `fresh`: the caller has just started
 * the run, and reads it no sooner than something has become of it; `begun`, as it stood then, comes first in its place.
 */
export async function* followRun(
  caller: Caller,
  deps: Pick<ServingDeps, 'engine'>,
  runId: string,
  { waitMs, signal, quiet = false, fresh = false, begun }: Waiting & { quiet?: boolean },
): AsyncGenerator<ServedRun, void, undefined> {
  let changed = Promise.withResolvers<void>();
  let over = signal?.aborted ?? false;
  let status: RunStatus | null = null;
  let underWay: NodeJS.Timeout | undefined;
  let ended: ServedRun | null = null;
  const toldUntil = performance.now() + TOLD_WITHIN_MS;
  const end = () => {
    over = true;
    changed.resolve();
  };
  const timer = setTimeout(end, waitMs);
  signal?.addEventListener('abort', end, { once: true });
  const stop = deps.engine.watchRun({ runId, workspaceId: caller.key.workspace.id }, (change, told) => {
    if (told !== undefined && begun !== undefined && performance.now() < toldUntil) ended = endedRun(begun, told);
    if (change === 'journal' || (quiet && (change === 'processing' || change === 'pending'))) return;
    if (change === 'processing' && change !== status) underWay ??= setTimeout(() => changed.resolve(), UNDER_WAY_AFTER_MS);
    // Waiting may be for another person than before.
    else if (change !== status || change === 'waiting') changed.resolve();
  });
  try {
    let seen = '';
    if (begun !== undefined) {
      status = begun.status;
      seen = stateOf(begun);
      yield begun;
    }
    if ((begun !== undefined || (quiet && fresh)) && !over) await changed.promise;
    while (true) {
      // Renewed before the reading, so that a change in between is not lost.
      changed = Promise.withResolvers<void>();
      clearTimeout(underWay);
      underWay = undefined;
      const run: ServedRun | null = ended ?? (await caller.readRun(runId));
      if (run === null) return;
      status = run.status;
      // Decided and not yet taken up: nothing to tell.
      const state = run.status === 'waiting' && run.ask === null && seen.startsWith('waiting') ? seen : stateOf(run);
      if (state !== seen) yield run;
      seen = state;
      if (over || isTerminalRunStatus(run.status)) return;
      await changed.promise;
    }
  } finally {
    clearTimeout(timer);
    clearTimeout(underWay);
    signal?.removeEventListener('abort', end);
    stop();
  }
}

const stateOf = ({ status, ask }: ServedRun) => `${status} ${ask?.what} ${ask?.id}`;

/** The run as soon as `isEnough` (by default: as soon as it is settled), or its state when the time is up or the caller has left. */
export async function untilSettled(
  caller: Caller,
  deps: Pick<ServingDeps, 'engine'>,
  runId: string,
  { isEnough = isSettled, ...waiting }: Waiting & { isEnough?: (run: ServedRun) => boolean },
): Promise<ServedRun | null> {
  let last: ServedRun | null = null;
  for await (const run of followRun(caller, deps, runId, { ...waiting, quiet: true })) {
    last = run;
    if (isEnough(run)) break;
  }
  return last;
}
