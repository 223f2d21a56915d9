import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { APP_PARTNERS, type AppPartner } from '#app/domain/connections/app-partners.ts';
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
  http: [
    'get',
    { path: '/orders/7' },
    'GET /orders/7',
    'authorization',
    { total: 3 },
    { status: 200, headers: { 'content-length': '11', 'content-type': 'application/json' }, body: { total: 3 } },
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

it('keeps the key of n8n from what answers its webhooks, and takes an answer in words there and of a Supabase function', async () => {
  const seen: Headers[] = [];
  server.use(
    http.post(`${ORIGIN}/*`, ({ request }) => {
      seen.push(request.headers);
      return new HttpResponse('Workflow was started', { headers: { 'content-type': 'text/plain' } });
    }),
  );
  expect((await call('n8n', 'trigger_webhook', { path: 'orders' })).output).toEqual({ result: 'Workflow was started' });
  expect(JSON.stringify([...(seen[0] ?? [])])).not.toContain('key-1');
  expect((await call('supabase', 'invoke_function', { name: 'hello' })).output).toEqual({ result: 'Workflow was started' });
  expect(seen[1]?.get('apikey')).toBe('key-1');
});

it('asks Hugging Face whose a token is: its router lists models to anyone', async () => {
  server.use(
    http.get('https://router.huggingface.co/v1/models', () => HttpResponse.json({ data: [] })),
    http.get('https://huggingface.co/api/whoami-v2', ({ request }) =>
      request.headers.get('authorization') === 'Bearer hf_right'
        ? HttpResponse.json({ name: 'ann' })
        : HttpResponse.json({}, { status: 401 }),
    ),
  );
  const at = (credential: string) => ({ ...peerOf('huggingFace'), endpoint: 'https://router.huggingface.co', credential });
  expect((await peers.inspect(at('hf_right'))).capabilities).toHaveLength(3);
  await expect(peers.inspect(at('hf_wrong'))).rejects.toMatchObject({ failure: { key: 'peerUnauthorized' } });
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

/** What goes over the wire, as the partner's published reference has it. */
type Wire = { at: string; query?: Record<string, string>; body?: Json };
type Case = [partner: AppPartner, name: string, input: { [key: string]: Json }, wire: Wire];
const CASES: readonly Case[] = [
  [
    'camunda',
    'create_process_instance',
    { processDefinitionId: 'invoice', variables: { amount: 3 } },
    { at: 'POST /v2/process-instances', body: { processDefinitionId: 'invoice', variables: { amount: 3 } } },
  ],
  ['camunda', 'get_process_instance', { processInstanceKey: '225179' }, { at: 'GET /v2/process-instances/225179' }],
  [
    'camunda',
    'search_user_tasks',
    { state: 'CREATED', assignee: 'ann', limit: 5 },
    { at: 'POST /v2/user-tasks/search', body: { filter: { state: 'CREATED', assignee: 'ann' }, page: { limit: 5 } } },
  ],
  [
    'camunda',
    'publish_message',
    { name: 'paid', correlationKey: 'i-7', variables: { ok: true } },
    { at: 'POST /v2/messages/publication', body: { name: 'paid', correlationKey: 'i-7', timeToLive: 3_600_000, variables: { ok: true } } },
  ],
  [
    'servicenow',
    'list_records',
    { table: 'incident', query: 'active=true^priority=1', fields: 'number,short_description', limit: 2 },
    {
      at: 'GET /api/now/v2/table/incident',
      query: { sysparm_query: 'active=true^priority=1', sysparm_fields: 'number,short_description', sysparm_limit: '2' },
    },
  ],
  ['servicenow', 'get_record', { table: 'incident', sysId: 'a9e3' }, { at: 'GET /api/now/v2/table/incident/a9e3' }],
  [
    'servicenow',
    'create_record',
    { table: 'incident', values: { urgency: '1' } },
    { at: 'POST /api/now/v2/table/incident', body: { urgency: '1' } },
  ],
  [
    'servicenow',
    'update_record',
    { table: 'incident', sysId: 'a9e3', values: { state: '6' } },
    { at: 'PATCH /api/now/v2/table/incident/a9e3', body: { state: '6' } },
  ],
  [
    'supabase',
    'select_rows',
    { table: 'orders', columns: 'id,total', column: 'id', equals: '7', limit: 1 },
    { at: 'GET /rest/v1/orders', query: { select: 'id,total', limit: '1', id: 'eq.7' } },
  ],
  ['supabase', 'insert_row', { table: 'orders', values: { total: 3 } }, { at: 'POST /rest/v1/orders', body: { total: 3 } }],
  ['supabase', 'invoke_function', { name: 'hello', body: { a: 1 } }, { at: 'POST /functions/v1/hello', body: { a: 1 } }],
  ['huggingFace', 'classify_text', { model: 'a/b', text: 'Good' }, { at: 'POST /hf-inference/models/a/b', body: { inputs: 'Good' } }],
  ['huggingFace', 'summarize_text', { model: 'a/b', text: 'Long' }, { at: 'POST /hf-inference/models/a/b', body: { inputs: 'Long' } }],
  [
    'huggingFace',
    'embed_text',
    { model: 'a/b', text: 'Word' },
    { at: 'POST /hf-inference/models/a/b/pipeline/feature-extraction', body: { inputs: 'Word' } },
  ],
  [
    'langGraph',
    'search_assistants',
    { graphId: 'agent', limit: 3 },
    { at: 'POST /assistants/search', body: { graph_id: 'agent', limit: 3 } },
  ],
  [
    'langGraph',
    'run_assistant',
    { assistantId: 'a', input: { q: 1 } },
    { at: 'POST /runs/wait', body: { assistant_id: 'a', input: { q: 1 } } },
  ],
  ['langGraph', 'get_thread_state', { threadId: 't-1' }, { at: 'GET /threads/t-1/state' }],
  ['n8n', 'trigger_webhook', { path: 'orders/new', body: { id: 1 } }, { at: 'POST /webhook/orders/new', body: { id: 1 } }],
  ['n8n', 'list_workflows', { active: 'true', limit: 2 }, { at: 'GET /api/v1/workflows', query: { active: 'true', limit: '2' } }],
  [
    'n8n',
    'list_executions',
    { workflowId: '4', status: 'error', limit: 2 },
    { at: 'GET /api/v1/executions', query: { workflowId: '4', status: 'error', limit: '2' } },
  ],
  ['http', 'get', { path: '/orders', query: { page: 2, open: true } }, { at: 'GET /orders', query: { page: '2', open: 'true' } }],
  ['http', 'post', { path: '/orders', body: { total: 3 } }, { at: 'POST /orders', body: { total: 3 } }],
  ['http', 'put', { path: '/orders/7', body: { total: 4 } }, { at: 'PUT /orders/7', body: { total: 4 } }],
  ['http', 'patch', { path: '/orders/7', body: { total: 5 } }, { at: 'PATCH /orders/7', body: { total: 5 } }],
  ['http', 'delete', { path: '/orders/7' }, { at: 'DELETE /orders/7' }],
];
const CREDENTIALS: Record<AppPartner, Record<string, string>> = {
  camunda: { authorization: 'Bearer key-1' },
  servicenow: { authorization: 'Bearer key-1' },
  supabase: { authorization: 'Bearer key-1', apikey: 'key-1', prefer: 'return=representation' },
  huggingFace: { authorization: 'Bearer key-1' },
  langGraph: { 'x-api-key': 'key-1' },
  n8n: { 'x-n8n-api-key': 'key-1' },
  http: { authorization: 'Bearer key-1' },
};

it('covers every capability that is offered', () => {
  const offered = APP_PARTNERS.flatMap((partner) => capabilitiesOfApp(partner).map(({ name }) => `${partner} ${name}`));
  expect(CASES.map(([partner, name]) => `${partner} ${name}`).sort()).toEqual(offered.sort());
});

it.each(CASES)('%s %s goes over the wire as its reference says', async (partner, name, input, { at, query = {}, body }) => {
  const seen: { at: string; query: object; headers: Headers; body: string }[] = [];
  server.use(
    http.all(`${ORIGIN}/*`, async ({ request }) => {
      const url = new URL(request.url);
      const { method, headers } = request;
      seen.push({ at: `${method} ${url.pathname}`, query: Object.fromEntries(url.searchParams), headers, body: await request.text() });
      return HttpResponse.json({ ok: true });
    }),
  );
  await call(partner, name, input);
  expect(seen).toHaveLength(1);
  const [sent] = seen;
  expect(sent?.at).toBe(at);
  expect(sent?.query).toEqual(query);
  for (const [header, value] of Object.entries({ accept: 'application/json', ...(name === 'trigger_webhook' ? {} : CREDENTIALS[partner]) }))
    expect(sent?.headers.get(header), header).toBe(value);
  expect(sent?.headers.get('idempotency-key')).toBe('run/step');
  if (body === undefined) expect(sent?.body).toBe('');
  else {
    expect(sent?.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(sent?.body ?? '')).toEqual(body);
  }
});

const inputOf = (partner: AppPartner) => CASES.find(([of]) => of === partner) as Case;

describe.each(APP_PARTNERS)('what %s refuses', (partner) => {
  const [, name, input] = inputOf(partner);
  const failing = async (answer: () => Response | Promise<Response>) => {
    server.use(http.all(`${ORIGIN}/*`, answer));
    const error: unknown = await call(partner, name, input).catch((caught: unknown) => caught);
    if (!(error instanceof PeerError)) throw error;
    return error;
  };

  it.each<[string, () => Response, object]>([
    ['401', () => HttpResponse.json({ message: 'no' }, { status: 401 }), { key: 'peerUnauthorized', retryable: false }],
    ['403', () => HttpResponse.json({ message: 'no' }, { status: 403 }), { retryable: false }],
    ['404', () => HttpResponse.json({ message: 'unknown' }, { status: 404 }), { key: 'peerInputRefused', retryable: false }],
    ['400', () => HttpResponse.json({ message: 'bad field' }, { status: 400 }), { key: 'peerInputRefused', retryable: false }],
    [
      '429 with its time to wait',
      () => HttpResponse.json({}, { status: 429, headers: { 'retry-after': '7' } }),
      { key: 'peerBusy', retryable: true, retryAfterSeconds: 7 },
    ],
    ['429 without one', () => HttpResponse.json({}, { status: 429 }), { key: 'peerBusy', retryable: true }],
    ['500', () => HttpResponse.text('at java.lang.Thread', { status: 500 }), { retryable: true }],
    ['503', () => HttpResponse.text('', { status: 503 }), { retryable: true }],
    [
      'an answer that is no JSON',
      // A page is an answer of any HTTP API; bytes are none.
      () =>
        partner === 'http'
          ? HttpResponse.arrayBuffer(new Uint8Array([0, 159, 146, 150]).buffer, { headers: { 'content-type': 'image/png' } })
          : HttpResponse.html('<html>Sign in</html>'),
      { key: 'peerAnswerGarbage' },
    ],
  ])('with %s is told as what it is, and never with the credential', async (_what, answer, failure) => {
    const error = await failing(answer);
    expect(error.failure).toMatchObject(failure);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error.failure)}`).not.toContain('key-1');
  });

  it('by not answering in time ends with the time that was given', async () => {
    server.use(http.all(`${ORIGIN}/*`, () => new Promise<Response>(() => undefined)));
    const { fingerprint } = capabilitiesOfApp(partner).find((capability) => capability.name === name) ?? { fingerprint: '' };
    const signal = new AbortController().signal;
    const late = peers.call({
      ...{ peer: peerOf(partner), capability: { name, fingerprint }, input, idempotencyKey: 'run/step', timeoutMs: 50, signal },
    });
    await expect(late).rejects.toMatchObject({ failure: { key: 'peerTimeout', retryable: true } });
  });

  it('is known when it is connected: a wrong key makes no connection', async () => {
    server.use(http.all(`${ORIGIN}/*`, () => HttpResponse.json({}, { status: 401 })));
    await expect(peers.inspect(peerOf(partner))).rejects.toMatchObject({ failure: { key: 'peerUnauthorized' } });
  });
});

it('sends a name and a password of Camunda and ServiceNow as Basic', async () => {
  for (const partner of ['camunda', 'servicenow'] as const) {
    let sent = '';
    server.use(
      http.all(`${ORIGIN}/*`, ({ request }) => {
        sent = request.headers.get('authorization') ?? '';
        return HttpResponse.json({});
      }),
    );
    await peers.inspect({ ...peerOf(partner), credential: 'ann:secret' });
    expect(sent).toBe(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
  }
});

describe('an HTTP API', () => {
  const at = (endpoint: string, credential = 'key-1') => ({ ...peerOf('http'), endpoint, credential });
  const ask = (name: string, input: { [key: string]: Json }, peer = peerOf('http')) => {
    const { fingerprint } = capabilitiesOfApp('http').find((capability) => capability.name === name) ?? { fingerprint: '' };
    const signal = new AbortController().signal;
    return peers.call({ peer, capability: { name, fingerprint }, input, idempotencyKey: 'run/step', timeoutMs: 5_000, signal });
  };

  it('answers with status, headers without cookies, and text where it is text', async () => {
    server.use(
      http.get(`${ORIGIN}/report`, () =>
        HttpResponse.text('a,b\n1,2', { status: 203, headers: { 'content-type': 'text/csv', 'set-cookie': 'session=1', etag: 'x' } }),
      ),
    );
    const { output } = await ask('get', { path: '/report' });
    expect(output).toEqual({ status: 203, headers: expect.objectContaining({ 'content-type': 'text/csv', etag: 'x' }), body: 'a,b\n1,2' });
    expect(JSON.stringify(output)).not.toContain('session=1');
  });

  it('takes the statuses that a step expects, and refuses all others', async () => {
    server.use(http.get(`${ORIGIN}/orders/8`, () => HttpResponse.json({ message: 'gone' }, { status: 404 })));
    expect((await ask('get', { path: '/orders/8', expect: '200-299, 404' })).output).toMatchObject({
      status: 404,
      body: { message: 'gone' },
    });
    await expect(ask('get', { path: '/orders/8' })).rejects.toMatchObject({ failure: { key: 'peerInputRefused' } });
    server.use(http.get(`${ORIGIN}/orders/8`, () => HttpResponse.json({})));
    await expect(ask('get', { path: '/orders/8', expect: '404' })).rejects.toMatchObject({ failure: { key: 'peerHttpStatus' } });
  });

  it('sends a form or a text where the content type says so, and its own headers', async () => {
    const seen: { type: string | null; trace: string | null; body: string }[] = [];
    server.use(
      http.post(`${ORIGIN}/in`, async ({ request }) => {
        seen.push({ type: request.headers.get('content-type'), trace: request.headers.get('x-trace'), body: await request.text() });
        return HttpResponse.json({});
      }),
    );
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Trace': '7' };
    await ask('post', { path: '/in', headers: form, body: { a: 'x y', b: 2 } });
    await ask('post', { path: '/in', headers: { 'content-type': 'application/xml' }, body: '<a/>' });
    await ask('post', { path: '/in', body: 'plain' });
    await ask('post', { path: '/in', body: ' {"a": [1]}' });
    await ask('post', { path: '/in', body: '{not json}' });
    expect(seen).toEqual([
      { type: 'application/x-www-form-urlencoded', trace: '7', body: 'a=x+y&b=2' },
      { type: 'application/xml', trace: null, body: '<a/>' },
      { type: 'application/json', trace: null, body: '"plain"' },
      { type: 'application/json', trace: null, body: ' {"a": [1]}' },
      { type: 'application/json', trace: null, body: '"{not json}"' },
    ]);
  });

  it.each<[string, { [key: string]: Json }]>([
    ['a path that leads out of its address', { path: '/../admin' }],
    ['the same, encoded', { path: '/%2e%2e/admin' }],
    ['a path with a query of its own', { path: '/a?b=1' }],
    ['a path without its slash', { path: '.example.org/a' }],
    ['a credential of another account', { path: '/a', headers: { Authorization: 'Bearer other' } }],
    ['cookies', { path: '/a', headers: { Cookie: 'session=1' } }],
    ['another host', { path: '/a', headers: { HOST: 'elsewhere.example.com' } }],
    ['the key under which it is called once', { path: '/a', headers: { 'Idempotency-Key': 'x' } }],
    ['a header that ends its line', { path: '/a', headers: { 'X-A\r\nHost': 'x' } }],
    ['a value that ends its line', { path: '/a', headers: { 'X-A': 'x\r\nHost: y' } }],
  ])('refuses %s, and nothing leaves', async (_what, input) => {
    let calls = 0;
    server.use(
      http.all('*', () => {
        calls += 1;
        return HttpResponse.json({});
      }),
    );
    await expect(ask('get', input, at(`${ORIGIN}/v1`))).rejects.toMatchObject({ failure: { key: 'peerInputRefused' } });
    expect(calls).toBe(0);
  });

  it.each([
    ['key-1', 'authorization', 'Bearer key-1'],
    ['ann:secret', 'authorization', `Basic ${Buffer.from('ann:secret').toString('base64')}`],
    ['X-Api-Key: abc:def', 'x-api-key', 'abc:def'],
  ])('gets the credential %s as its header', async (credential, header, value) => {
    const seen: Headers[] = [];
    server.use(
      http.get(`${ORIGIN}/v1`, ({ request }) => {
        seen.push(request.headers);
        return HttpResponse.html('<html>The documentation</html>', { status: 404 });
      }),
    );
    expect((await peers.inspect(at(`${ORIGIN}/v1`, credential))).capabilities.map(({ name }) => name)).toEqual([
      'get',
      'post',
      'put',
      'patch',
      'delete',
    ]);
    expect(seen[0]?.get(header)).toBe(value);
  });
});
