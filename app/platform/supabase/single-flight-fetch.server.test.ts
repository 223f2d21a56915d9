import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { singleFlightRefresh } from '#app/platform/supabase/single-flight-fetch.server.ts';

const TOKEN_URL = 'http://auth.example/auth/v1/token?grant_type=refresh_token';
const refresh = (token: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ refresh_token: token }) });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('20 exchanges of one token at once are one, and each asker can read the answer', async () => {
  const inner = vi.fn(async () => Response.json({ access_token: 'new' }));
  const shared = singleFlightRefresh(inner);
  const answers = await Promise.all(Array.from({ length: 20 }, () => shared(TOKEN_URL, refresh('one'))));
  expect(inner).toHaveBeenCalledOnce();
  for (const answer of answers) expect(await answer.json()).toEqual({ access_token: 'new' });
});

test('a request that comes a little later gets the same answer, one that comes much later asks', async () => {
  const inner = vi.fn(async () => Response.json({}));
  const shared = singleFlightRefresh(inner);
  await shared(TOKEN_URL, refresh('one'));
  await shared(TOKEN_URL, refresh('one'));
  expect(inner).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_001);
  await shared(TOKEN_URL, refresh('one'));
  expect(inner).toHaveBeenCalledTimes(2);
});

test('another token is another exchange, and other calls pass', async () => {
  const inner = vi.fn(async () => Response.json({}));
  const shared = singleFlightRefresh(inner);
  await Promise.all([shared(TOKEN_URL, refresh('one')), shared(TOKEN_URL, refresh('two'))]);
  await Promise.all([shared('http://auth.example/auth/v1/user'), shared('http://auth.example/auth/v1/user')]);
  expect(inner).toHaveBeenCalledTimes(4);
});

test('a service that is down is asked again: by an answer of 503, and by none', async () => {
  const inner = vi.fn<typeof fetch>(async () => new Response('', { status: 503 }));
  const shared = singleFlightRefresh(inner);
  expect((await shared(TOKEN_URL, refresh('one'))).status).toBe(503);
  inner.mockRejectedValueOnce(new TypeError('fetch failed'));
  await expect(shared(TOKEN_URL, refresh('one'))).rejects.toThrow('fetch failed');
  inner.mockResolvedValueOnce(Response.json({ access_token: 'new' }));
  expect((await shared(TOKEN_URL, refresh('one'))).status).toBe(200);
});
