import { expect, test } from 'vitest';
import { retryReads } from '#app/platform/supabase/retried-reads.server.ts';

const ADDRESS = 'https://project.invalid/auth/v1/user';

/** Returns one after the other; an Error is thrown. */
function answering(...answers: (number | Error)[]) {
  const asked: string[] = [];
  const fetch = retryReads(async (_input, init) => {
    asked.push(init?.method ?? 'GET');
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return new Response(null, { status: answer });
  });
  return { fetch, asked };
}

test.each([502, 503, 504, new TypeError('fetch failed')])('%s once is not seen', async (fault) => {
  const { fetch, asked } = answering(fault, 200);
  expect((await fetch(ADDRESS)).status).toBe(200);
  expect(asked).toHaveLength(2);
});

test('twice is told', async () => {
  const { fetch, asked } = answering(503, 503, 200);
  expect((await fetch(ADDRESS)).status).toBe(503);
  expect(asked).toHaveLength(2);
});

test.each([200, 400, 401, 403, 404, 429, 500])('%i is an answer', async (status) => {
  const { fetch, asked } = answering(status);
  expect((await fetch(ADDRESS)).status).toBe(status);
  expect(asked).toHaveLength(1);
});

test.each(['POST', 'PUT', 'DELETE'])('%s is never sent twice', async (method) => {
  const { fetch, asked } = answering(503, 200);
  expect((await fetch(ADDRESS, { method })).status).toBe(503);
  expect(asked).toEqual([method]);
});

test('who has gone is not asked for again', async () => {
  const { fetch, asked } = answering(Object.assign(new Error('gone'), { name: 'AbortError' }), 200);
  await expect(fetch(ADDRESS)).rejects.toThrow('gone');
  expect(asked).toHaveLength(1);
});
