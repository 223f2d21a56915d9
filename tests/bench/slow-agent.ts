import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createCompliance } from '#app/engine/a2a/compliance-copilot/copilot-server.ts';

/** So long the first call waits for the last one to come. */
const TOGETHER_WITHIN_MS = 20_000;

/**
 * An A2A agent elsewhere that takes its time: the copilot, each answer held back for `takesMs` from when `together` calls were
 * under way at once, or from its own coming where it came later. Counts the calls under way.
 */
export async function startSlowAgent(
  takesMs: number,
  together: number,
): Promise<{ endpoint: string; mostAtOnce(): number; stop(): Promise<void> }> {
  let answer: ReturnType<typeof createCompliance> | null = null;
  let now = 0;
  let most = 0;
  const { promise: gathered, resolve: gather } = Promise.withResolvers<void>();
  const late = setTimeout(gather, TOGETHER_WITHIN_MS);
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === 'POST') {
      now += 1;
      most = Math.max(most, now);
      if (most >= together) gather();
      await gathered;
      await pause(takesMs);
      now -= 1;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    const result = await answer?.({ method: request.method ?? 'GET', path: (request.url ?? '/').replace(/\/$/, ''), headers, body });
    response.writeHead(result?.status ?? 503, { 'content-type': 'application/json' });
    response.end(result?.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = createCompliance(endpoint);
  return {
    endpoint,
    mostAtOnce: () => most,
    async stop() {
      clearTimeout(late);
      gather();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
