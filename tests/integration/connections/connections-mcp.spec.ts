import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import type { Frame } from '#app/engine/connections/frames.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { LOOPBACK, LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { failureOf } from '#tests/support/peer-failure.ts';
import { type Stranger, type StrangerTool, startStranger, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { processesOf } from '#tests/survival/support/processes.ts';
import { until } from '#tests/survival/support/until.ts';

const NO_BUILTIN = () => ({ origin: 'http://127.0.0.1:1', token: '' });
const ends: (() => Promise<unknown> | unknown)[] = [];
let peers: Peers;

beforeEach(() => {
  const fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
  peers = createPeers({ fetch, builtin: NO_BUILTIN });
  ends.push(
    () => fetch.close(),
    () => peers.close(),
  );
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const echo: StrangerTool = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => ({ content: [{ type: 'text', text: String(text) }] }),
};

async function server(world: Parameters<typeof startStrangerServer>[0]): Promise<Stranger> {
  const stranger = await startStrangerServer(world);
  ends.push(() => stranger.stop());
  return stranger;
}
async function raw(answer: Parameters<typeof startStranger>[0]): Promise<Stranger> {
  const stranger = await startStranger(answer);
  ends.push(() => stranger.stop());
  return stranger;
}
const at = (stranger: Stranger, credential: string | null = null) => ({
  kind: 'mcp' as const,
  endpoint: `${stranger.origin}/mcp`,
  credential,
  privateNetwork: LOOPBACK_LIST,
});
const call = (
  stranger: Stranger,
  capability: Pick<PeerCapability, 'name' | 'fingerprint'>,
  more: Partial<Parameters<Peers['call']>[0]> = {},
) =>
  peers.call({
    peer: at(stranger),
    capability,
    input: { text: 'hi' },
    idempotencyKey: 'run/step',
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...more,
  });
async function only(stranger: Stranger): Promise<PeerCapability> {
  const [capability] = (await peers.inspect(at(stranger))).capabilities;
  if (capability === undefined) throw new Error('nothing is offered');
  return capability;
}

describe('a server that behaves', () => {
  it('is inspected, and called with one request that carries token and key', async () => {
    const stranger = await server({ tools: [echo] });
    const inspection = await peers.inspect(at(stranger, 'sesame'));
    expect(inspection).toMatchObject({
      name: 'A stranger',
      version: '3.2.1',
      protocolVersion: '2026-07-28',
      capabilities: [{ kind: 'tool', name: 'echo', description: 'Says it again' }],
    });
    const capability = inspection.capabilities[0];
    if (capability === undefined) throw new Error('nothing is offered');
    expect(await call(stranger, capability, { peer: at(stranger, 'sesame') })).toEqual({
      output: { text: 'hi' },
      protocolVersion: '2026-07-28',
    });
    const before = stranger.requests.length;
    await Promise.all(Array.from({ length: 5 }, () => call(stranger, capability, { peer: at(stranger, 'sesame') })));
    // Five calls, and at most one look at the list for all of them.
    expect(stranger.requests.length - before).toBeLessThanOrEqual(6);
    const last = stranger.requests.at(-1);
    expect(last?.headers).toMatchObject({ authorization: 'Bearer sesame', 'idempotency-key': 'run/step' });
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      method: 'tools/call',
      params: { name: 'echo', _meta: { 'quorate/idempotencyKey': 'run/step' } },
    });
  });

  it('speaks an older revision', async () => {
    const { McpServer, WebStandardStreamableHTTPServerTransport, fromJsonSchema } = await import('@modelcontextprotocol/server');
    const stranger = await raw(async (request, body, response) => {
      const old = new McpServer({ name: 'old', version: '1' }, { capabilities: { tools: {} } });
      old.registerTool('echo', { inputSchema: fromJsonSchema<{ text: string }>(echo.inputSchema as never) }, async ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await old.connect(transport);
      const answer = await transport.handleRequest(
        new Request(`http://x${request.url}`, {
          method: request.method ?? '',
          headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
          ...(body === '' ? {} : { body }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
    });
    const capability = await only(stranger);
    expect(await call(stranger, capability)).toEqual({ output: { text: 'hi' }, protocolVersion: '2025-11-25' });
  });

  it('speaks an older revision in a session, and begins a new one when the server has forgotten it', async () => {
    const { McpServer, WebStandardStreamableHTTPServerTransport, fromJsonSchema } = await import('@modelcontextprotocol/server');
    const sessions = new Map<string, InstanceType<typeof WebStandardStreamableHTTPServerTransport>>();
    const stranger = await raw(async (request, body, response) => {
      const id = request.headers['mcp-session-id'];
      let transport = typeof id === 'string' ? sessions.get(id) : undefined;
      if (transport === undefined && !body.includes('"initialize"')) return void response.writeHead(id === undefined ? 400 : 404).end();
      if (transport === undefined) {
        const old = new McpServer({ name: 'old', version: '1' }, { capabilities: { tools: {} } });
        old.registerTool('echo', { inputSchema: fromJsonSchema<{ text: string }>(echo.inputSchema as never) }, async ({ text }) => ({
          content: [{ type: 'text', text }],
        }));
        const made = new WebStandardStreamableHTTPServerTransport({
          enableJsonResponse: true,
          sessionIdGenerator: () => crypto.randomUUID(),
          onsessioninitialized: (session) => void sessions.set(session, made),
        });
        await old.connect(made);
        transport = made;
      }
      const answer = await transport.handleRequest(
        new Request(`http://x${request.url}`, {
          method: request.method ?? '',
          headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
          ...(body === '' ? {} : { body }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
    });
    const capability = await only(stranger);
    expect(await call(stranger, capability)).toMatchObject({ output: { text: 'hi' } });
    sessions.clear();
    expect(await call(stranger, capability)).toMatchObject({ output: { text: 'hi' } });
    expect(sessions.size).toBe(1);
  });

  it('gives structured content as it is, and makes it fit to be stored', async () => {
    const stranger = await server({
      tools: [
        {
          ...echo,
          outputSchema: { type: 'object' },
          run: () => ({ content: [{ type: 'text', text: '{}' }], structuredContent: { a: 'x\u0000y', b: 'lone \ud800', c: [1, null] } }),
        },
      ],
    });
    expect((await call(stranger, await only(stranger))).output).toEqual({ a: 'x\ufffdy', b: 'lone \ufffd', c: [1, null] });
  });
});

describe('a server that changes', () => {
  it('is not called once a schema, a word or a tool is another', async () => {
    const world = { tools: [echo] };
    const stranger = await server(world);
    const capability = await only(stranger);
    await call(stranger, capability);
    const calls = () => stranger.requests.filter((request) => request.body.includes('"tools/call"')).length;
    const before = calls();
    for (const [tools, key] of [
      [
        [{ ...echo, inputSchema: { type: 'object', properties: { text: { type: 'string' }, secret: { type: 'string' } } } }],
        'peerToolChanged',
      ],
      [[{ ...echo, description: 'Says it again\u200b' }], 'peerToolChanged'],
      [[{ ...echo, name: 'other' }], 'peerToolRemoved'],
      [[], 'peerToolRemoved'],
    ] as const) {
      world.tools = [...tools];
      // A list stands for a quarter of a second, so the change shows within that.
      await expect
        .poll(() => failureOf(call(stranger, capability)), { interval: 60, timeout: 30_000 })
        .toMatchObject({ key, retryable: false, values: { capability: 'echo' } });
    }
    expect(calls() - before).toBeLessThanOrEqual(8);
    world.tools = [echo];
    await expect.poll(() => failureOf(call(stranger, capability)), { interval: 60, timeout: 30_000 }).toMatchObject({ key: 'answered' });
  });

  it('is taken at its word for the time that it states, and no longer than a minute', async () => {
    const world = { tools: [echo], ttlMs: 86_400_000 };
    const stranger = await server(world);
    vi.useFakeTimers({ toFake: ['performance'] });
    const capability = await only(stranger);
    const lists = () => stranger.requests.filter(({ body }) => body.includes('"tools/list"')).length;
    const before = lists();
    try {
      vi.advanceTimersByTime(59_000);
      await call(stranger, capability);
      expect(lists()).toBe(before);
      vi.advanceTimersByTime(2_000);
      await call(stranger, capability);
      expect(lists()).toBe(before + 1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('offers more than anyone can look through, in one answer or in pages without an end, and is refused for that', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ ...echo, name: `tool_${index}` }));
    expect(await failureOf(peers.inspect(at(await server({ tools: many }))))).toMatchObject({
      key: 'peerListTooLong',
      values: { limit: 2_000, pages: 20 },
      retryable: false,
    });
    let page = 0;
    const endless = await server({
      tools: [echo],
      before: (_request, body, response) => {
        if (!body.includes('"tools/list"')) return false;
        page += 1;
        const { id } = JSON.parse(body) as { id: number };
        const tools = [{ name: `tool_${page}`, inputSchema: { type: 'object' } }];
        const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools, nextCursor: String(page) };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        return true;
      },
    });
    expect(await failureOf(peers.inspect(at(endless)))).toMatchObject({ key: 'peerListTooLong' });
    expect(page).toBe(20);
  });

  it('shows what it hides', async () => {
    const stranger = await server({ tools: [{ ...echo, description: 'Adds\u200b \u202enumbers\u{e0041}' }] });
    const capability = await only(stranger);
    expect(capability.description).toBe('Adds numbers');
    expect(capability.definition.description).toBe('Adds\u200b \u202enumbers\u{e0041}');
  });
});

describe('a server that fails', () => {
  /** Behaves until told otherwise: lists its tool, then answers calls with `answer`. */
  async function failing(answer: (response: ServerResponse) => void) {
    let fails = false;
    const stranger = await server({
      tools: [echo],
      before: (_request, body, response) => {
        if (!fails || !body.includes('"tools/call"')) return false;
        answer(response);
        return true;
      },
    });
    const capability = await only(stranger);
    fails = true;
    return { stranger, capability };
  }

  it.each<[string, (response: ServerResponse) => void, object]>([
    [
      'HTTP 500',
      (response) => response.writeHead(500).end('stack trace at 10.0.0.7'),
      { key: 'peerHttpStatus', values: { status: 500 }, retryable: true },
    ],
    ['HTTP 404', (response) => response.writeHead(404).end(), { key: 'peerHttpStatus', values: { status: 404 }, retryable: false }],
    [
      'HTTP 401',
      (response) => response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:1/internal"' }).end(),
      { key: 'peerUnauthorized', retryable: false },
    ],
    ['HTTP 429', (response) => response.writeHead(429).end(), { key: 'peerBusy', retryable: true, happened: 'no' }],
    [
      'HTTP 429 with its time to wait',
      (response) => response.writeHead(429, { 'retry-after': '17' }).end('slow down'),
      { key: 'peerBusy', happened: 'no', retryAfterSeconds: 17 },
    ],
    [
      'HTTP 503 with its time to wait',
      (response) => response.writeHead(503, { 'retry-after': '17' }).end(),
      { key: 'peerHttpStatus', values: { status: 503 }, happened: 'unknown', retryAfterSeconds: 17 },
    ],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      { key: 'peerRedirected', retryable: false },
    ],
    [
      'garbage',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>no</html>'),
      { key: 'peerGarbage', retryable: true },
    ],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>no</html>'),
      { key: 'peerGarbage', retryable: true },
    ],
    [
      'other JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
      { key: 'peerGarbage', retryable: true },
    ],
    ['a cut connection', (response) => response.destroy(), { key: 'peerUnreachable', retryable: true }],
    [
      '50 MB',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let megabytes = 0; megabytes < 50; megabytes += 1) response.write('x'.repeat(1_000_000));
        response.end();
      },
      { key: 'peerTooLarge', retryable: false },
    ],
  ])('answers %s', async (_, answer, expected) => {
    const { stranger, capability } = await failing(answer);
    expect(await failureOf(call(stranger, capability))).toMatchObject(expected);
  });

  it('never answers, or drips: the step’s time ends it, and a cancellation at once', async () => {
    const silent = await failing(() => undefined);
    const from = performance.now();
    expect(await failureOf(call(silent.stranger, silent.capability, { timeoutMs: 1_000 }))).toMatchObject({
      key: 'peerTimeout',
      values: { seconds: 1 },
      retryable: true,
    });
    const drip = await failing((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failureOf(call(drip.stranger, drip.capability, { timeoutMs: 1_000 }))).toMatchObject({ key: 'peerTimeout' });
    const cancel = new AbortController();
    const cancelledCall = failureOf(call(silent.stranger, silent.capability, { timeoutMs: 60_000, signal: cancel.signal }));
    cancel.abort();
    expect(await cancelledCall).toMatchObject({ key: 'peerCancelled' });
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('reports an error of its own, which is quoted short and harmless', async () => {
    const stranger = await server({
      tools: [{ ...echo, run: () => ({ content: [{ type: 'text', text: `no\u202e such account ${'x'.repeat(5_000)}` }], isError: true }) }],
    });
    const found = await failureOf(call(stranger, await only(stranger)));
    expect(found).toMatchObject({ key: 'peerToolError', retryable: true });
    expect('values' in found ? found.values.message : '').toMatch(/^no such account x{1,290}…$/);
  });

  it('refuses input, and breaks its own promise about output', async () => {
    const strict = await server({ tools: [echo] });
    expect(await failureOf(call(strict, await only(strict), { input: {} }))).toMatchObject({ key: 'peerInputRefused', retryable: false });
    const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
    const liar = await server({
      tools: [{ ...echo, outputSchema: schema, run: () => ({ content: [], structuredContent: { total: 1 } }) }],
    });
    const capability = await only(liar);
    ends.push(() => undefined);
    const lying = await raw(async (request, body, response) => {
      const forwarded = await fetch(`${liar.origin}${request.url}`, {
        method: 'POST',
        headers: Object.entries(request.headers)
          .filter(([name]) => name !== 'host' && name !== 'connection' && name !== 'content-length')
          .map(([name, value]) => [name, String(value)] as [string, string]),
        body,
      });
      response
        .writeHead(forwarded.status, { 'content-type': 'application/json' })
        .end((await forwarded.text()).replace('"structuredContent":{"total":1}', '"structuredContent":{"total":"many"}'));
    });
    expect(await failureOf(call(lying, capability))).toMatchObject({ key: 'peerOutputInvalid', retryable: false });
  });

  it('is no MCP server at all', async () => {
    const page = await raw(
      (_request, _body, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    );
    expect(await failureOf(peers.inspect(at(page)))).toMatchObject({ key: 'peerProtocolMismatch' });
    const missing = await raw((_request, _body, response) => void response.writeHead(404).end());
    expect(await failureOf(peers.inspect(at(missing)))).toMatchObject({ key: 'peerHttpStatus', values: { status: 404 } });
    await missing.stop();
    expect(await failureOf(peers.inspect(at(missing)))).toMatchObject({ key: 'peerUnreachable' });
    expect(await failureOf(peers.inspect({ kind: 'mcp', endpoint: 'javascript:alert(1)', credential: null }))).toMatchObject({
      key: 'peerAddressRefused',
    });
  });
});

/** A server over standard streams in a few lines, whose tools say what it sees, end it, and never answer. */
const SMALL_SERVER = `
const tools = ['env', 'die', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } });
  if (method === 'tools/list') answer(id, { tools });
  if (method !== 'tools/call') return;
  if (params.name === 'env') answer(id, { content: [{ type: 'text', text: JSON.stringify(Object.entries(process.env).filter(([, value]) => value !== '').map(([name]) => name)) }] });
  if (params.name === 'die') process.exit(3);
});
`;

describe('servers that run as processes of this machine', () => {
  const packages = createRequire(import.meta.url);
  const entry = (name: string) =>
    packages.resolve(`@modelcontextprotocol/server-${name}/package.json`).replace('package.json', 'dist/index.js');
  let directory: string;
  let here: Peers;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quorate-local-'));
    await writeFile(join(directory, 'note.txt'), 'Read by a real server');
    const guarded = createGuardedFetch({ privateNetwork: LOOPBACK });
    const localServers = {
      filesystem: [process.execPath, entry('filesystem'), directory],
      memory: ['env', `MEMORY_FILE_PATH=${join(directory, 'memory.jsonl')}`, process.execPath, entry('memory'), directory],
      small: [process.execPath, '-e', SMALL_SERVER, directory],
      missing: [join(directory, 'no-such-program')],
    };
    here = createPeers({ fetch: guarded, builtin: NO_BUILTIN, localServers });
    ends.push(
      () => rm(directory, { recursive: true, force: true }),
      () => guarded.close(),
      () => here.close(),
    );
  });
  const local = (name: string) => ({ kind: 'mcp' as const, endpoint: `stdio:${name}`, credential: null });
  const running = () => processesOf(directory).length;
  type Tools = readonly PeerCapability[];
  const toolsOf = async (server: string): Promise<Tools> => (await here.inspect(local(server))).capabilities;
  function callLocal(server: string, tools: Tools, tool: string, input: { [key: string]: Json }, timeoutMs = 15_000) {
    const capability = tools.find(({ name }) => name === tool);
    if (capability === undefined) throw new Error(`${server} has no ${tool}`);
    const signal = new AbortController().signal;
    return here.call({ peer: local(server), capability, input, idempotencyKey: 'run/step', timeoutMs, signal });
  }

  it('lists and calls the tools of the reference servers filesystem and memory, and leaves no process', async () => {
    const { capabilities, name } = await here.inspect(local('filesystem'));
    expect(name).toMatch(/filesystem/i);
    expect(capabilities.map((tool) => tool.name)).toEqual(expect.arrayContaining(['read_text_file', 'list_directory']));
    expect(new Set(capabilities.map(({ fingerprint }) => fingerprint)).size).toBe(capabilities.length);
    const read = await callLocal('filesystem', capabilities, 'read_text_file', { path: join(directory, 'note.txt') });
    expect(JSON.stringify(read.output)).toContain('Read by a real server');
    expect(await failureOf(callLocal('filesystem', capabilities, 'read_text_file', { path: '/etc/hostname' }))).toMatchObject({
      key: 'peerToolError',
    });
    const [reading] = capabilities.filter((tool) => tool.name === 'read_text_file');
    if (reading === undefined) throw new Error('no tool to read with');
    const frames: Frame[] = [];
    const signal = new AbortController().signal;
    const input = { path: join(directory, 'note.txt') };
    await here.call({
      peer: local('filesystem'),
      capability: reading,
      input,
      idempotencyKey: 'run/step',
      timeoutMs: 15_000,
      signal,
      frames,
    });
    const call = frames.find((frame) => frame.method === 'tools/call');
    expect(call).toMatchObject({ url: 'stdio:filesystem', status: null });
    expect(JSON.parse(call?.requestBody ?? '')).toMatchObject({ jsonrpc: '2.0', params: { name: 'read_text_file', arguments: input } });
    expect(JSON.parse(call?.responseBody ?? '')).toMatchObject({
      result: { content: [{ text: expect.stringContaining('a real server') }] },
    });
    const memory = await toolsOf('memory');
    const entities = [{ name: 'Quorate', entityType: 'product', observations: ['asks a person first'] }];
    await callLocal('memory', memory, 'create_entities', { entities });
    expect(JSON.stringify((await callLocal('memory', memory, 'read_graph', {})).output)).toContain('asks a person first');
    expect(running()).toBeGreaterThanOrEqual(2);
    await here.close();
    await until('no process', async () => (running() === 0 ? true : undefined));
  });

  it.each([
    ['Streamable HTTP', 'streamableHttp', '/mcp'],
    ['the stream of 2024', 'sse', '/sse'],
  ])(
    'speaks to the reference server everything over %s',
    async (_, transport, path) => {
      const port = String(await freePort());
      const child = spawn(process.execPath, [entry('everything'), transport], {
        env: { ...process.env, PORT: port },
        stdio: 'ignore',
      });
      ends.push(() => child.kill('SIGKILL'));
      const peer = { kind: 'mcp' as const, endpoint: `http://localhost:${port}${path}`, credential: null, privateNetwork: LOOPBACK_LIST };
      const found = await until('the server', () => peers.inspect(peer).catch(() => undefined));
      const echoing = found.capabilities.find((tool) => tool.name === 'echo');
      const adding = found.capabilities.find((tool) => tool.name === 'get-sum');
      if (echoing === undefined || adding === undefined) throw new Error(found.capabilities.map((tool) => tool.name).join());
      const ask = (capability: PeerCapability, input: { [key: string]: Json }) =>
        peers.call({ peer, capability, input, idempotencyKey: 'run/step', timeoutMs: 15_000, signal: new AbortController().signal });
      expect(JSON.stringify((await ask(echoing, { message: 'hello' })).output)).toContain('hello');
      expect(JSON.stringify((await ask(adding, { a: 2, b: 3 })).output)).toContain('5');
      expect(await failureOf(ask(adding, { a: 'two' }))).toMatchObject({ key: 'peerInputRefused' });
    },
    60_000,
  );

  it('gives a process nothing of this one but HOME, PATH, SHELL and TERM', async () => {
    const { output } = await callLocal('small', await toolsOf('small'), 'env', {});
    const names = JSON.stringify(output).match(/[A-Z_]{3,}/g) ?? [];
    expect(names).toContain('PATH');
    expect(names.filter((name) => !['HOME', 'PATH', 'SHELL', 'TERM'].includes(name))).toEqual([]);
  });

  it('says what went wrong with a process that dies, hangs or does not start, leaves none behind, and starts another for the next call', async () => {
    const tools = await toolsOf('small');
    expect(await failureOf(callLocal('small', tools, 'die', {}))).toMatchObject({ key: 'peerProcessEnded', retryable: true });
    expect(await failureOf(callLocal('small', tools, 'hang', {}, 500))).toMatchObject({ key: 'peerTimeout' });
    await until('no process', async () => (running() === 0 ? true : undefined));
    expect(JSON.stringify((await callLocal('small', tools, 'env', {})).output)).toContain('PATH');
    expect(await failureOf(here.inspect(local('missing')))).toMatchObject({ key: 'peerProcessEnded' });
    expect(await failureOf(here.inspect(local('unknown')))).toMatchObject({ key: 'peerLocalRefused', values: { name: 'unknown' } });
    expect(await failureOf(here.inspect({ ...local('small'), kind: 'a2a' }))).toMatchObject({ key: 'peerLocalRefused' });
    expect(await failureOf(peers.inspect(local('small')))).toMatchObject({ key: 'peerLocalRefused' });
  }, 30_000);
});
