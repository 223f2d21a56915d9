/** rest/v1 for the tables and functions of `project.ts`, as PostgREST answers it (docs.postgrest.org, Tables and Views). */
import { HttpResponse } from 'msw';
import { type Answered, type Asked, endpoint, recordOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal } from '#tests/mocks/mock-refusal.ts';
import { DATABASE_FUNCTIONS, type Row, TABLES } from '#tests/mocks/project.ts';

const NO_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']);

const TESTS: Record<string, (value: unknown, wanted: string) => boolean> = {
  eq: (value, wanted) => String(value) === wanted,
  neq: (value, wanted) => String(value) !== wanted,
  gt: (value, wanted) => compare(value, wanted) > 0,
  gte: (value, wanted) => compare(value, wanted) >= 0,
  lt: (value, wanted) => compare(value, wanted) < 0,
  lte: (value, wanted) => compare(value, wanted) <= 0,
  like: (value, wanted) => pattern(wanted, '').test(String(value)),
  ilike: (value, wanted) => pattern(wanted, 'i').test(String(value)),
  is: (value, wanted) => String(value ?? null) === wanted,
  in: (value, wanted) =>
    [...wanted.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)].some(
      ([, quoted, bare]) => (quoted?.replace(/\\(.)/g, '$1') ?? bare) === String(value),
    ),
};

export function tableHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/rest/v1/rpc/:name', ({ request, params, body }) => {
      const run = DATABASE_FUNCTIONS[params.name ?? ''];
      if (run === undefined)
        throw new MockRefusal(404, 'PGRST202', `Could not find the function public.${params.name} in the schema cache`);
      mock.requireSignedIn(request);
      return HttpResponse.json(run({ ...body }, mock.tables) ?? null);
    }),
    endpoint(mock, 'get', '/rest/v1/:table', (asked) => {
      const rows = rowsOf(mock, asked);
      return answer(asked, mock.isSignedIn(asked.request) ? rows.filter(filterOf(asked.url)) : [], 200);
    }),
    endpoint(mock, 'post', '/rest/v1/:table', (asked) => {
      const rows = rowsOf(mock, asked);
      mock.requireSignedIn(asked.request);
      const merges = (asked.request.headers.get('Prefer') ?? '').includes('resolution=merge-duplicates');
      const written = asked.rows.map((given) => {
        const known = rows.find(({ id }) => given.id !== undefined && id === given.id);
        if (known !== undefined && !merges) throw new MockRefusal(409, '23505', 'duplicate key value violates unique constraint');
        const before = known === undefined ? {} : { ...known };
        const row = Object.assign(known ?? { ...TABLES[asked.params.table ?? '']?.defaults() }, given);
        if (known === undefined) rows.push(row);
        mock.realtime.tableChanged({ table: asked.params.table ?? '', type: known === undefined ? 'INSERT' : 'UPDATE', row, before });
        return row;
      });
      return answer(asked, written, 201);
    }),
    endpoint(mock, 'patch', '/rest/v1/:table', (asked) => {
      const rows = rowsOf(mock, asked);
      mock.requireSignedIn(asked.request);
      const changed = rows.filter(filterOf(asked.url)).map((row) => {
        const before = { ...row };
        mock.realtime.tableChanged({ table: asked.params.table ?? '', type: 'UPDATE', row: Object.assign(row, asked.body), before });
        return row;
      });
      return answer(asked, changed, 200);
    }),
    endpoint(mock, 'delete', '/rest/v1/:table', (asked) => {
      const rows = rowsOf(mock, asked);
      mock.requireSignedIn(asked.request);
      const gone = rows.filter(filterOf(asked.url));
      for (const row of gone) {
        rows.splice(rows.indexOf(row), 1);
        mock.realtime.tableChanged({ table: asked.params.table ?? '', type: 'DELETE', row: {}, before: row });
      }
      return answer(asked, gone, 200);
    }),
  ];
}

function rowsOf(mock: MockBackend, { params: { table = '' } }: Asked): Row[] {
  const known = TABLES[table];
  if (known === undefined) throw new MockRefusal(404, 'PGRST205', `Could not find the table 'public.${table}' in the schema cache`);
  const rows = mock.tables.get(table) ?? structuredClone([...known.rows]);
  mock.tables.set(table, rows);
  return rows;
}

/** Refuses an operator that is not played here, because a filter that is left out would answer too much. */
function filterOf(url: URL): (row: Row) => boolean {
  const filters = [...url.searchParams].filter(([name]) => !NO_FILTERS.has(name));
  const tests = filters.map(([column, text]) => {
    const [, not, operator = '', wanted = ''] = /^(not\.)?(\w+)\.(.*)$/s.exec(text) ?? [];
    const test = TESTS[operator];
    if (test === undefined) throw new MockRefusal(400, 'PGRST100', `The mock cannot filter by "${column}=${text}"`);
    return (row: Row) => test(row[column], wanted) === (not === undefined);
  });
  return (row) => tests.every((test) => test(row));
}

function answer({ request, url }: Asked, found: readonly Row[], status: number): Answered {
  const prefer = request.headers.get('Prefer') ?? '';
  if (request.method !== 'GET' && !prefer.includes('return=representation'))
    return new HttpResponse(null, { status: status === 201 ? 201 : 204 });
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 1000);
  const rows = sorted(found, url.searchParams.get('order'))
    .slice(offset, offset + limit)
    .map((row) => pick(row, url.searchParams.get('select') ?? '*'));
  const range = rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`;
  const headers = { 'Content-Range': `${range}/${prefer.includes('count=') ? found.length : '*'}` };
  if (!(request.headers.get('Accept') ?? '').includes('application/vnd.pgrst.object+json'))
    return HttpResponse.json(rows, { status, headers });
  const [one] = rows;
  if (one !== undefined && rows.length === 1) return HttpResponse.json(one, { status, headers });
  throw new MockRefusal(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows.length} rows`,
  });
}

function sorted(rows: readonly Row[], order: string | null): readonly Row[] {
  const keys = (order ?? '').split(',').filter(Boolean);
  return [...rows].sort((one, other) => {
    for (const key of keys) {
      const [column = '', direction] = key.split('.');
      const difference = compare(one[column], String(other[column]));
      if (difference !== 0) return direction === 'desc' ? -difference : difference;
    }
    return 0;
  });
}

function compare(value: unknown, wanted: string): number {
  if (typeof value === 'number') return value - Number(wanted);
  const text = String(value);
  return text < wanted ? -1 : Number(text > wanted);
}

function pattern(text: string, flags: string): RegExp {
  const escaped = text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/[%*]/g, '.*').replace(/_/g, '.')}$`, `${flags}s`);
}

function pick(row: Row, select: string): Row {
  const columns = select.split(',').map((column) => column.trim());
  return columns.includes('*') ? row : recordOf(Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name))));
}
