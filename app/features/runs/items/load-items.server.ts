import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { RunStatus, StepStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus, stepStatusIn } from '#app/domain/runs/run-status.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { explained, loadRunStep } from '#app/features/runs/load-run-steps.server.ts';
import { drawn, loadPanelStep, shownStep } from '#app/features/runs/panel/load-panel-step.server.ts';
import { loadTraceSteps } from '#app/features/runs/trace/load-trace-steps.server.ts';
import { traceOf } from '#app/features/runs/trace/trace.ts';
import { readTracePlace } from '#app/features/runs/trace/trace-place.ts';
import { askForTexts, loadPartialTexts, noPartialTexts } from '#app/features/runs/writing/load-partial-texts.server.ts';

export const ITEM_PAGE_SIZE = 50;
/** Characters of each result in the list of items; the page of one item shows more. */
const RESULT_CHARACTERS = 160;

export type LoopItem = {
  /** From 0, as expressions count. */
  index: number;
  path: string;
  status: StepStatus;
  error: Explanation | null;
  output: Json | null;
  startedAt: string;
  finishedAt: string | null;
};

export type ItemFilter = 'all' | 'failed' | 'open';
const OPEN: readonly StepStatus[] = ['pending', 'processing', 'waiting'];

/** The items of a loop of a run, page by page in the order of its list. @throws AppError not_found */
export async function loadItems(context: Readonly<RouterContextProvider>, runId: string, url: URL) {
  const path = url.searchParams.get('loop') ?? '';
  const only = url.searchParams.get('only');
  const filter: ItemFilter = only === 'failed' || only === 'open' ? only : 'all';
  const found = await context.get(memberContext).read(async (db) => {
    const run = await readRunOf(db, runId);
    const within = itemAround(path);
    const loop = await loadRunStep(db, run, path);
    if (loop?.items == null) throw new AppError('not_found');
    const { ok, failed, open } = loop.items;
    const shown = filter === 'failed' ? failed : filter === 'open' ? open : ok + failed + open;
    const pageCount = Math.max(1, Math.ceil(shown / ITEM_PAGE_SIZE));
    const page = Math.max(1, Math.min(pageCount, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
    return {
      run,
      within,
      loop: { name: loop.name, kind: loop.kind, path, status: loop.status, ...loop.items },
      page,
      pageCount,
      rows: await readItems(db, run, path, filter, page),
    };
  });
  const { run, rows, ...rest } = inReadersLanguage(context, found);
  return {
    ...rest,
    filter,
    run: { id: run.id, number: run.number, subject: run.subject, workflow: run.workflow, over: isTerminalRunStatus(run.status) },
    rows: rows.map(({ output, ...row }) => ({ ...row, result: output === null ? null : shortText(output) })),
  };
}
export type LoadedItems = Awaited<ReturnType<typeof loadItems>>;

/** One item of a loop as `url` opens it: its steps, and beside them one of them, or its result. @throws AppError not_found */
export async function loadItem(context: Readonly<RouterContextProvider>, runId: string, url: URL) {
  const path = url.searchParams.get('item') ?? '';
  const place = readTracePlace(url);
  const { member, read } = context.get(memberContext);
  const found = await read(async (db) => {
    const run = await readRunOf(db, runId);
    const row = await itemRows(db, run.id).where('s.path', '=', path).executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    return {
      run,
      row,
      steps: await loadTraceSteps(db, run, path),
      selected: await loadPanelStep(context, db, run, place),
      texts:
        run.status === 'processing' && row.finished_at === null
          ? await loadPartialTexts(context, db, run.id, path)
          : noPartialTexts(context),
    };
  });
  const over = isTerminalRunStatus(found.run.status);
  // Without scripts this is how a page looks on: the text is there when it is loaded again.
  if (!over && found.row.finished_at === null) await askForTexts(context, { runId, workspaceId: member.workspace.id });
  const { run, row, steps } = inReadersLanguage(context, { run: found.run, row: found.row, steps: found.steps });
  const { output, ...item } = itemOf(run.status, row);
  return {
    run: { id: run.id, number: run.number, subject: run.subject, workflow: run.workflow, over },
    texts: found.texts,
    loop: { path: path.slice(0, path.lastIndexOf('/')), name: row.loop ?? '', kind: row.loop_kind ?? 'for_each' },
    item: { ...item, output: found.selected !== null ? null : drawn(output, 'output', place) },
    place,
    trace: inReadersLanguage(context, traceOf(steps, place, item.finishedAt === null ? Date.now() : Date.parse(item.finishedAt))),
    selected: shownStep(context, found.selected, place),
  };
}
export type LoadedItem = Awaited<ReturnType<typeof loadItem>>;

/** A result in one line. */
function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= RESULT_CHARACTERS ? text : `${text.slice(0, RESULT_CHARACTERS)}…`;
}

/** The item that a loop inside a loop belongs to; null for one outside. */
const itemAround = (path: string) => /^(.*\/[0-9]+)\/.+$/.exec(path)?.[1] ?? null;

async function readRunOf(db: Db, id: string): Promise<RunIdentity & { id: string; status: RunStatus; workflow: string }> {
  const run = await db
    .selectFrom('quorate.runs as r')
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('r.id', '=', id)
    .select(['r.id', 'r.number', 'r.subject', 'r.status', 'a.name as workflow'])
    .executeTakeFirst();
  if (run === undefined) throw new AppError('not_found');
  return { ...run, subject: readSubject(run.subject), workflow: run.workflow ?? '' };
}

/** The rows that stand for items, each with the name of its loop. */
function itemRows(db: Db, runId: string) {
  return db
    .selectFrom('quorate.steps as s')
    .leftJoin('quorate.steps as l', (join) => join.onRef('l.run_id', '=', 's.run_id').onRef('l.path', '=', 's.item_of'))
    .where('s.run_id', '=', runId)
    .where('s.item_index', 'is not', null)
    .select([
      's.path',
      's.item_index',
      's.status',
      's.error',
      's.output',
      's.started_at',
      's.finished_at',
      'l.name as loop',
      'l.kind as loop_kind',
    ]);
}
type ItemRow = Awaited<ReturnType<ReturnType<typeof itemRows>['executeTakeFirstOrThrow']>>;

async function readItems(
  db: Db,
  run: { id: string; status: RunStatus },
  loop: string,
  filter: ItemFilter,
  page: number,
): Promise<LoopItem[]> {
  let query = itemRows(db, run.id).where('s.item_of', '=', loop);
  if (filter === 'failed') query = query.where('s.status', '=', 'error');
  if (filter === 'open') query = query.where('s.status', 'in', OPEN);
  const rows = await query
    .orderBy('s.item_index')
    .offset((page - 1) * ITEM_PAGE_SIZE)
    .limit(ITEM_PAGE_SIZE)
    .execute();
  return rows.map((row) => itemOf(run.status, row));
}

function itemOf(status: RunStatus, row: ItemRow): LoopItem {
  return {
    index: row.item_index ?? 0,
    path: row.path,
    status: stepStatusIn(status, row.status),
    error: explained(row.error),
    output: row.output,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
