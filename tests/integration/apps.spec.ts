import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { APP_PARTNERS, type AppPartner } from '#app/domain/app-partners.ts';
import type { Json } from '#app/domain/tables.ts';
import { capabilitiesOfApp } from '#app/engine/connections/apps/app-peers.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { PeerError } from '#app/engine/connections/peer.ts';

const ORIGIN = 'https://partner.example.com';
const server = setupServer();
const peers = createPeers({ fetch: (input, init) => fetch(input, init), builtin: () => ({ origin: 'http://127.0.0.1:1', token: '' }) });
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(async () => {
  server.close();
  await peers.close();
});

const peerOf = (partner: AppPartner) => ({ kind: 'app' as const, endpoint: ORIGIN, credential: 'key-1', settings: { partner } });
function call(partner: AppPartner, name: string, input: { [key: string]: Json }) {
  const fingerprint = capabilitiesOfApp(partner).find((capability) => capability.name === name)?.fingerprint ?? '';
  const signal = new AbortController().signal;
  return peers.call({
    peer: peerOf(partner),
    capability: { name, fingerprint },
    input,
    idempotencyKey: 'run/step',
    timeoutMs: 5_000,
    signal,
  });
}

/** A call of each partner as its published reference has it: request, credential's header, answer, and what a step gets. */
const CALLS: Record<AppPartner, [name: string, input: { [key: string]: Json }, at: string, header: string, answer: Json, output: Json]> = {
  camunda: [
    'create_process_instance',
    { processDefinitionId: 'invoice' },
    'POST /v2/process-instances',
    'authorization',
    { processInstanceKey: '22' },
    { processInstanceKey: '22' },
  ],
  servicenow: [
    'create_record',
    { table: 'incident', values: { short_description: 'x' } },
    'POST /api/now/v2/table/incident',
    'authorization',
    { result: { sys_id: '1' } },
    { result: { sys_id: '1' } },
  ],
  supabase: [
    'select_rows',
    { table: 'orders', column: 'id', equals: '7' },
    'GET /rest/v1/orders',
    'apikey',
    [{ id: 7 }],
    { rows: [{ id: 7 }] },
  ],
  huggingFace: [
    'classify_text',
    { model: 'a/b', text: 'Good' },
    'POST /hf-inference/models/a/b',
    'authorization',
    [[{ label: 'POSITIVE', score: 0.9 }]],
    { labels: [{ label: 'POSITIVE', score: 0.9 }] },
  ],
  langGraph: [
    'run_assistant',
    { assistantId: 'a', input: {} },
    'POST /runs/wait',
    'x-api-key',
    { messages: [] },
    { result: { messages: [] } },
  ],
  n8n: [
    'list_workflows',
    { limit: 2 },
    'GET /api/v1/workflows',
    'x-n8n-api-key',
    { data: [], nextCursor: null },
    { data: [], nextCursor: null },
  ],
};

it.each(APP_PARTNERS)('%s is called as its reference says', async (partner) => {
  const [name, input, at, header, answer, output] = CALLS[partner];
  const seen: string[] = [];
  server.use(
    http.all(`${ORIGIN}/*`, ({ request }) => {
      const url = new URL(request.url);
      seen.push(`${request.method} ${url.pathname}`);
      if (!request.headers.get(header)?.includes('key-1')) return HttpResponse.json({}, { status: 401 });
      return HttpResponse.json(answer);
    }),
  );
  expect((await call(partner, name, input)).output).toEqual(output);
  expect(seen).toEqual([at]);
  const { capabilities } = await peers.inspect(peerOf(partner));
  expect(capabilities.length).toBeGreaterThanOrEqual(3);
});

it('tells a refusal, a limit and an answer that is none apart', async () => {
  const failing = async (answer: () => Response) => {
    server.use(http.all(`${ORIGIN}/*`, answer));
    const error: unknown = await call('n8n', 'list_workflows', {}).catch((caught: unknown) => caught);
    return error instanceof PeerError ? error.failure : error;
  };
  expect(await failing(() => HttpResponse.json({}, { status: 401 }))).toMatchObject({ key: 'peerUnauthorized' });
  expect(await failing(() => HttpResponse.json({}, { status: 429, headers: { 'retry-after': '3' } }))).toMatchObject({
    key: 'peerBusy',
    retryAfterSeconds: 3,
  });
  expect(await failing(() => new HttpResponse('<html>'))).toMatchObject({ key: 'peerAnswerGarbage' });
  await expect(call('n8n', 'trigger_webhook', { path: '../rest/users' })).rejects.toMatchObject({ failure: { key: 'peerInputRefused' } });
});
