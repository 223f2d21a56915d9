import type { RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage, inShippedWords } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import type { ListExtent } from '#app/engine/lists/read-list-page.ts';
import { loadWorkflowList, type WorkflowRow } from '#app/features/workflows/list/load-workflow-list.server.ts';

type Context = Readonly<RouterContextProvider>;

export async function loadListScreen(context: Context, url: URL) {
  const { rows, list } = await readList(context, url);
  const mayAuthor = can(context.get(memberContext).member.roles, 'authorWorkflow');
  return { list, rows: inReadersLanguage(context, rows), mayAuthor };
}
export type LoadedWorkflowList = Awaited<ReturnType<typeof loadListScreen>>;

const COLUMNS: readonly CsvColumn<WorkflowRow>[] = [
  ['workflow_id', (row) => row.id],
  ['name', (row) => row.name],
  ['description', (row) => row.description, 'description'],
  ['status', (row) => row.status, 'status'],
  ['last_run_at', (row) => row.lastRunAt, 'lastRun'],
  ['executions', (row) => row.executions, 'executions'],
  ['success_rate', (row) => row.successRate, 'successRate'],
  ['average_active_ms', (row) => row.averageActiveMs, 'duration'],
];

export async function downloadWorkflows(context: Context, url: URL): Promise<Response> {
  const { rows, list } = await readList(context, url, FILE);
  return csvResponse(list.name, writeListCsv(COLUMNS, rows, list.hidden));
}

function readList(context: Context, { searchParams: params }: URL, extent?: ListExtent) {
  const { member, read } = context.get(memberContext);
  const query = inShippedWords(context, readSearchWords(params.get('q')).words);
  const asked = { workspaceId: member.workspace.id, userId: member.userId, params, query };
  return read((db) => loadWorkflowList(db, extent === undefined ? asked : { ...asked, extent }));
}
