import { HttpResponse } from 'msw';
import { endpoint } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal } from '#tests/mocks/mock-refusal.ts';
import { EDGE_FUNCTIONS } from '#tests/mocks/project.ts';

/** The edge functions of `project.ts`. */
export function edgeFunctionHandlers(mock: MockBackend) {
  return (['get', 'post', 'put', 'patch', 'delete'] as const).map((method) =>
    endpoint(mock, method, '/functions/v1/:name', async ({ request, params, body }) => {
      const run = EDGE_FUNCTIONS[params.name ?? ''];
      if (run === undefined) throw new MockRefusal(404, 'NOT_FOUND', 'Requested function was not found');
      const result = await run({ ...body }, request);
      return result instanceof Response ? result : HttpResponse.json(result ?? null);
    }),
  );
}
