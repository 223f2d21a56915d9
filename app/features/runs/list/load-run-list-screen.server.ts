import { data, type RouterContextProvider } from 'react-router';
import { csvResponse, MOST_EXPORTED } from '#app/components/list/csv-response.server.ts';
import { listSavedViews } from '#app/components/saved-views/saved-views.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { NO_COUNTS } from '#app/contracts/facet-counts.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { loadListState } from '#app/engine/lists/list-state.ts';
import { takeTable } from '#app/evidence.server.ts';
import {
  countRuns,
  type ExportedRun,
  loadRunCauses,
  loadRunChoices,
  loadRunList,
  loadRunsForFile,
  readRunOrder,
} from '#app/features/runs/list/load-run-list.server.ts';
import { readRunFilter } from '#app/features/runs/list/read-run-filter.ts';
import { RUNS } from '#app/features/runs/list/run-filter.ts';
import { RUN_VIEWS } from '#app/features/runs/list/run-views.server.ts';

type Context = Readonly<RouterContextProvider>;
const NOTHING = { rows: [], next: null, searchedTo: null, cut: false, searched: 0 };

/** The list of runs with its filters, and what each filter can be set to. Answers 400 where a filter cannot be used. */
export async function loadRunListScreen(context: Context, url: URL) {
  const { member, read } = context.get(memberContext);
  const { filter, valid } = readRunFilter(url.searchParams);
  const sort = readRunOrder(url.searchParams);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const seesAll = can(member.roles, 'seeAllRuns');
  const own = seesAll ? null : member.userId;
  const found = await read(async (db) => ({
    ...(valid ? await loadRunList(db, { filter, sort, after: url.searchParams.get('after'), own }) : NOTHING),
    ...(await loadRunChoices(db, member.workspace.id, seesAll)),
    counts: valid ? await countRuns(db, filter, own) : NO_COUNTS,
    state: await loadListState(db, who, RUNS, url.searchParams),
    views: await listSavedViews(db, RUN_VIEWS, who),
    // Causes are asked for among failed runs: the list of all runs does not wait for them.
    causes: filter.status === 'failed' || filter.error !== '' ? await loadRunCauses(db, member.workspace.id) : [],
  }));
  const { state, counts, next, ...shown } = found;
  const loaded = { ...inReadersLanguage(context, shown), list: { ...state, sort, next, counts }, filter, valid, seesAll };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedRunList = Awaited<ReturnType<typeof loadRunListScreen>>['data'];

const COLUMNS: readonly CsvColumn<ExportedRun>[] = [
  ['run_id', (row) => row.id],
  ['number', (row) => row.number],
  ['subject', (row) => plainSubject(row.subject)],
  ['workflow', (row) => row.workflow],
  ['version', (row) => row.version],
  ['mode', (row) => row.mode, 'mode'],
  ['trigger', (row) => row.trigger],
  ['status', (row) => row.status, 'status'],
  ['started_by', (row) => row.initiator, 'initiator'],
  ['created_at', (row) => row.createdAt, 'started'],
  ['active_ms', (row) => row.activeMs, 'active'],
  ['cost_micro_usd', (row) => row.costMicros],
];

/** The runs that the filters leave as CSV. More than a page of everybody’s leaves when another person has agreed. */
export async function downloadRuns(context: Context, url: URL): Promise<Response> {
  const { searchParams: params } = url;
  const { member, read } = context.get(memberContext);
  const { filter, valid } = readRunFilter(params);
  if (!valid) throw data({ code: 'invalid_input' }, { status: 400 });
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const own = can(member.roles, 'seeAllRuns') ? null : member.userId;
  const { rows, hidden } = await read(async (db) => ({
    rows: await loadRunsForFile(db, { filter, sort: readRunOrder(params), after: null, own, limit: MOST_EXPORTED }),
    ...(await loadListState(db, who, RUNS, params)),
  }));
  if (own === null) await takeTable(context, 'runs', url, rows.length);
  return csvResponse(RUNS.name, writeListCsv(COLUMNS, rows, hidden));
}
