import { HttpResponse } from 'msw';
import { endpoint } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import type { DataCaller, ProfileRow } from '#tests/mocks/mock-types.ts';

const ONE_ROW = 'application/vnd.pgrst.object+json';

/** The one table behind rest/v1: reading by id, and the upsert of one's own row. */
export function profileHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'get', '/rest/v1/profiles', async ({ request, url, scenario }) => {
      const id = /^eq\.(.+)$/.exec(url.searchParams.get('id') ?? '')?.[1];
      const row = id === undefined || scenario === 'profile-missing' ? null : await mock.store.readProfile(callerOf(mock, request), id);
      const columns = (url.searchParams.get('select') ?? '*').split(',').map((column) => column.trim());
      const rows = row === null ? [] : [pick(row, columns)];
      if (!(request.headers.get('Accept') ?? '').includes(ONE_ROW)) return HttpResponse.json(rows);
      const [one] = rows;
      if (one !== undefined) return HttpResponse.json(one);
      return HttpResponse.json(
        {
          code: 'PGRST116',
          details: 'The result contains 0 rows',
          hint: null,
          message: 'Cannot coerce the result to a single JSON object',
        },
        { status: 406 },
      );
    }),
    endpoint(mock, 'post', '/rest/v1/profiles', async ({ request, body }) => {
      const answer = await mock.store.upsertProfile(callerOf(mock, request), { ...body });
      if ('status' in answer) {
        const { status, code, message } = answer;
        return HttpResponse.json({ code, details: null, hint: null, message }, { status });
      }
      if (!(request.headers.get('Prefer') ?? '').includes('return=representation')) return new HttpResponse(null, { status: 201 });
      return HttpResponse.json([answer], { status: 201 });
    }),
  ];
}

/** Whoever sends no valid token of a user is nobody: the publishable key alone sees no row. */
function callerOf(mock: MockBackend, request: Request): DataCaller {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
  const claims = mock.signer.verified(token, mock.now());
  return claims === null ? null : { userId: String(claims.sub), sessionId: String(claims.session_id) };
}

function pick(row: ProfileRow, columns: readonly string[]): Partial<ProfileRow> {
  if (columns.includes('*')) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)));
}
