/** What watches a worker process hears, as from a web server, and strangers do not. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openWorkerProbes } from '#app/platform/metrics/worker-probes.ts';

const TOKEN = 'a-token-for-the-figures';
let server: Server | undefined;
afterEach(() => server?.close());

async function open(more: Partial<Parameters<typeof openWorkerProbes>[1]> = {}) {
  server = await openWorkerProbes(
    { host: '127.0.0.1', port: 0 },
    {
      metricsToken: TOKEN,
      healthy: async () => true,
      metrics: async () => [{ name: 'quorate_workers', help: 'Workers.', type: 'gauge', samples: [{ value: 1 }] }],
      ...more,
    },
  );
  const { port } = server.address() as AddressInfo;
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method });
    return { status: answer.status, text: await answer.text() };
  };
}

test('a worker says that it lives, whether it can work, and its figures to whoever has the token', async () => {
  const ask = await open();
  expect(await ask('/livez')).toEqual({ status: 200, text: 'ok\n' });
  expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok\n' });
  for (const authorization of ['', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, 'Bearer '])
    expect(await ask('/metrics', { authorization })).toMatchObject({ status: 401 });
  const told = await ask('/metrics', { authorization: `Bearer ${TOKEN}` });
  expect(told).toEqual({ status: 200, text: '# HELP quorate_workers Workers.\n# TYPE quorate_workers gauge\nquorate_workers 1\n' });
  expect(await ask('/')).toMatchObject({ status: 404 });
  expect(await ask('/livez', {}, 'POST')).toMatchObject({ status: 405 });
});

test('without its database it is not ready, and what breaks is told as that', async () => {
  const broken = () => Promise.reject(new Error('no database'));
  const ask = await open({ healthy: broken, metrics: broken });
  expect(await ask('/readyz')).toMatchObject({ status: 503 });
  expect(await ask('/livez')).toMatchObject({ status: 200 });
  expect(await ask('/metrics', { authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 500 });
});

test('where no token is set, the figures are told to nobody', async () => {
  const ask = await open({ metricsToken: null });
  expect(await ask('/metrics', { authorization: 'Bearer ' })).toMatchObject({ status: 404 });
});
