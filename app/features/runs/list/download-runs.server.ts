import { data, type RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { type CsvValue, writeCsv } from '#app/engine/documents/write-csv.ts';
import { loadRunList, type RunRow } from '#app/features/runs/list/load-run-list.server.ts';
import { readRunFilter } from '#app/features/runs/list/run-filter.ts';

/** Runs in one file, the newest that the filters leave. */
const MOST_RUNS = 5_000;

const HEADER = [
  'run_id',
  'number',
  'subject',
  'workflow',
  'version',
  'mode',
  'trigger',
  'status',
  'started_by',
  'created_at',
  'active_ms',
  'cost_micro_usd',
];

/** The runs of the list as CSV, by its filters. Columns are named for machines, the same in every language. */
export async function downloadRuns(context: Readonly<RouterContextProvider>, url: URL): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const { filter, valid } = readRunFilter(url.searchParams);
  if (!valid) throw data({ code: 'invalid_input' }, { status: 400 });
  const own = can(member.roles, 'seeAllRuns') ? null : member.userId;
  const { rows } = await read((db) => loadRunList(db, { filter, before: null, own, limit: MOST_RUNS }));
  return new Response(writeCsv(HEADER, rows.map(valuesOf)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="quorate-runs.csv"',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function valuesOf(row: RunRow): CsvValue[] {
  const { id, number, subject, workflow, version, mode, trigger, status, initiator, createdAt, activeMs, costMicros } = row;
  return [id, number, plainSubject(subject), workflow, version, mode, trigger, status, initiator, createdAt, activeMs, costMicros];
}
