import { delay, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { MODEL_PROVIDERS, type ModelProvider } from '#app/contracts/models.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import type { Frame } from '#app/engine/connections/frames.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { createModels } from '#app/platform/models/models.server.ts';
import { failingProvider, INTERFACES, KEY, MODEL_ORIGIN, modelProvider, streamingProvider } from '#tests/mocks/model-providers.ts';
import { strictProvider, type Wire } from '#tests/mocks/model-schemas.ts';
import { createRunFixture, type RunFixture } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const server = setupServer();
const peers = createPeers({
  fetch: (input, init) => fetch(input, init),
  builtin: () => ({ origin: 'http://127.0.0.1:1', token: '' }),
  models: createModels(),
});
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(async () => {
  server.close();
  await peers.close();
});

const peerOf = (provider: ModelProvider, credential = KEY) => ({
  kind: 'model' as const,
  endpoint: `${MODEL_ORIGIN}${INTERFACES[provider].base}`,
  credential,
  settings: { provider, prices: {} },
});

async function ask(
  provider: ModelProvider,
  input: { [key: string]: Json },
  more: { timeoutMs?: number; frames?: Frame[]; onText?: (piece: string) => void } = {},
) {
  const { capabilities } = await peers.inspect(peerOf(provider));
  const fingerprint = capabilities.find((capability) => capability.name === 'small')?.fingerprint ?? '';
  return peers.call({
    peer: peerOf(provider),
    capability: { name: 'small', fingerprint },
    input,
    idempotencyKey: 'run/step',
    timeoutMs: more.timeoutMs ?? 5_000,
    signal: new AbortController().signal,
    ...(more.frames === undefined ? {} : { frames: more.frames }),
    ...(more.onText === undefined ? {} : { onText: more.onText }),
  });
}

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(error instanceof PeerError)) throw error ?? new Error('nothing failed');
  return error.failure;
}

describe.each(MODEL_PROVIDERS)('%s', (provider) => {
  it('lists its models, answers a prompt and counts its tokens', async () => {
    const seen: { body: unknown; headers: Headers }[] = [];
    server.use(...modelProvider(provider, 'Four.', seen));
    const { capabilities } = await peers.inspect(peerOf(provider));
    expect(capabilities.map(({ kind, name }) => ({ kind, name }))).toEqual([{ kind: 'model', name: 'small' }]);
    const { output, usage } = await ask(provider, { prompt: 'Two and two?', system: 'Be short.', maxTokens: 50, temperature: 0 });
    expect(output).toMatchObject({ text: 'Four.', usage: { inputTokens: 19, outputTokens: 10 } });
    expect(usage).toEqual({ inputTokens: 19, outputTokens: 10 });
    expect(JSON.stringify(seen[0]?.body)).toContain('Two and two?');
    expect(seen[0]?.headers.get('idempotency-key')).toBe('run/step');
  });

  it('tells the text as it is written, and the same answer at the end', async () => {
    const pieces: string[] = [];
    const frames: Frame[] = [];
    server.use(streamingProvider(provider, ['Two and ', 'two is ', 'four.']), ...modelProvider(provider, 'none'));
    const { output, usage } = await ask(provider, { prompt: 'Two and two?' }, { onText: (piece) => pieces.push(piece), frames });
    expect(pieces).toEqual(['Two and ', 'two is ', 'four.']);
    expect(output).toMatchObject({ text: 'Two and two is four.', finishReason: 'stop', usage: { inputTokens: 19, outputTokens: 10 } });
    expect(usage).toEqual({ inputTokens: 19, outputTokens: 10 });
    expect(frames.at(-1)?.responseBody).toContain('two is ');
  });

  it('holds a streamed answer to the JSON Schema', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false };
    const onText = () => undefined;
    server.use(streamingProvider(provider, ['{"su', 'm":4}']), ...modelProvider(provider, 'none'));
    expect((await ask(provider, { prompt: 'Two and two?', schema }, { onText })).output).toMatchObject({ json: { sum: 4 } });
    server.use(streamingProvider(provider, ['{"su', 'm":"four"}']));
    expect(await failureOf(ask(provider, { prompt: 'Two and two?', schema }, { onText }))).toMatchObject({
      key: 'modelAnswerUnfit',
      retryable: true,
      usage: { inputTokens: 19, outputTokens: 10 },
    });
    server.use(streamingProvider(provider, ['no', ' JSON']));
    expect(await failureOf(ask(provider, { prompt: 'Two and two?', schema }, { onText }))).toMatchObject({ key: 'modelAnswerUnfit' });
  });

  it('holds an answer to the JSON Schema', async () => {
    server.use(...modelProvider(provider, '{"sum":4}'));
    const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false };
    expect((await ask(provider, { prompt: 'Two and two?', schema })).output).toMatchObject({ json: { sum: 4 } });
    server.use(...modelProvider(provider, '{"sum":"four"}'));
    expect(await failureOf(ask(provider, { prompt: 'Two and two?', schema }))).toMatchObject({
      key: 'modelAnswerUnfit',
      retryable: true,
      usage: { inputTokens: 19, outputTokens: 10 },
    });
  });

  it('hands back the tool that a model asks for, and takes up the conversation with its answer', async () => {
    const seen: { body: unknown; headers: Headers }[] = [];
    server.use(...modelProvider(provider, 'Four.', seen));
    server.use(failingProvider(provider, () => HttpResponse.json(INTERFACES[provider].ask('tools__add', { a: 2, b: 2 }))));
    const tools = [{ name: 'tools__add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }];
    const begun: Json[] = [{ role: 'user', content: 'Two and two?' }];
    const asked = (await ask(provider, { messages: begun, tools, system: 'Use tools.' })).output as { [key: string]: Json };
    expect(asked).toMatchObject({ toolCalls: [{ name: 'tools__add', input: { a: 2, b: 2 } }], finishReason: 'tool-calls' });
    const [wanted] = asked.toolCalls as { id: string }[];
    server.resetHandlers();
    server.use(...modelProvider(provider, 'Four.', seen));
    const result = { type: 'tool-result', toolCallId: wanted?.id ?? '', toolName: 'tools__add', output: { type: 'text', value: 'sum 4' } };
    const messages: Json[] = [...begun, asked.message ?? null, { role: 'tool', content: [result] }];
    expect((await ask(provider, { messages, tools })).output).toMatchObject({ text: 'Four.', toolCalls: [] });
    expect(JSON.stringify(seen.at(-1)?.body)).toContain('sum 4');
    expect(JSON.stringify(seen.at(-1)?.body)).toContain('tools__add');
  });

  it('says what is wrong with the key', async () => {
    server.use(...modelProvider(provider, ''));
    expect(await failureOf(peers.inspect(peerOf(provider, 'wrong-key')))).toMatchObject({ key: 'peerUnauthorized', retryable: false });
  });

  it.each([
    [429, { 'retry-after': '7' }, { key: 'peerBusy', retryable: true, retryAfterSeconds: 7 }],
    [500, {}, { key: 'peerHttpStatus', values: { status: 500 }, retryable: true }],
    [400, {}, { key: 'peerInputRefused', retryable: false }],
  ])('answers %i', async (status, headers, expected) => {
    server.use(...modelProvider(provider, ''));
    server.use(
      failingProvider(provider, () =>
        HttpResponse.json({ error: { message: 'no', type: 'x', code: status, status: 'X' } }, { status, headers }),
      ),
    );
    expect(await failureOf(ask(provider, { prompt: 'Hello' }))).toMatchObject(expected);
  });

  it('answers too late, or what is no answer', async () => {
    server.use(...modelProvider(provider, ''));
    server.use(failingProvider(provider, () => new HttpResponse('<html>', { headers: { 'content-type': 'text/html' } })));
    expect(await failureOf(ask(provider, { prompt: 'Hello' }))).toMatchObject({ key: 'peerAnswerGarbage', retryable: true });
    server.use(
      failingProvider(provider, async () => {
        await delay('infinite');
        return new HttpResponse();
      }),
    );
    expect(await failureOf(ask(provider, { prompt: 'Hello' }, { timeoutMs: 60 }))).toMatchObject({ key: 'peerTimeout', retryable: true });
  });
});

type Current = { wire: Wire; provider: ModelProvider; base: string; model: string; limit: string };
const CURRENT: Current[] = [
  { wire: 'reasoning', provider: 'openai', base: 'https://api.openai.com/v1', model: 'gpt-5', limit: 'max_completion_tokens' },
  { wire: 'reasoning', provider: 'openai', base: 'https://api.openai.com/v1', model: 'o4-mini', limit: 'max_completion_tokens' },
  { wire: 'openai', provider: 'openai', base: 'https://api.openai.com/v1', model: 'gpt-4o', limit: 'max_completion_tokens' },
  { wire: 'reasoning', provider: 'openai', base: 'https://bank.openai.azure.com/openai/v1', model: 'ours', limit: 'max_completion_tokens' },
  { wire: 'reasoning', provider: 'openai', base: 'https://gateway.example/v1', model: 'openai/gpt-5.1', limit: 'max_completion_tokens' },
  { wire: 'local', provider: 'openai', base: 'https://llm.example/v1', model: 'llama-3.3-70b', limit: 'max_tokens' },
  { wire: 'local', provider: 'openai', base: 'https://llm.example/v1', model: 'openai/gpt-oss-120b', limit: 'max_tokens' },
  { wire: 'local', provider: 'ollama', base: 'https://ollama.example', model: 'gemma3', limit: 'max_tokens' },
  { wire: 'anthropic', provider: 'anthropic', base: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5', limit: 'max_tokens' },
  {
    wire: 'google',
    provider: 'google',
    base: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-2.5-pro',
    limit: 'generationConfig.maxOutputTokens',
  },
  { wire: 'mistral', provider: 'mistral', base: 'https://api.mistral.ai/v1', model: 'mistral-large-latest', limit: 'max_tokens' },
];

describe.each(CURRENT)('$model by $base', ({ wire, provider, base, model, limit }) => {
  const paths: Record<ModelProvider, string> = {
    openai: '/chat/completions',
    mistral: '/chat/completions',
    ollama: '/v1/chat/completions',
    anthropic: '/messages',
    google: `/models/${model}:generateContent`,
  };
  const tool = { name: 'tools__add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } };
  const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false };
  const limitOf = (body: unknown) =>
    limit.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);

  it.each<[string, { [key: string]: Json }, number | undefined]>([
    ['a prompt with a limit', { prompt: 'Two and two?', system: 'Be short.', maxTokens: 50 }, 50],
    ['a prompt without one', { prompt: 'Two and two?' }, undefined],
    ['an answer that fits a schema', { prompt: 'Two and two?', schema, maxTokens: 60 }, 60],
    ['a conversation with tools', { messages: [{ role: 'user', content: 'Two and two?' }], tools: [tool], maxTokens: 70 }, 70],
  ])('takes %s', async (_, input, wanted) => {
    const seen: Record<string, unknown>[] = [];
    server.use(strictProvider(wire, `${base}${paths[provider]}`, INTERFACES[provider].answer('{"sum":4}'), seen));
    const answer = await peers.call({
      peer: { kind: 'model', endpoint: base, credential: KEY, settings: { provider, prices: {} } },
      capability: { name: model, fingerprint: '' },
      input,
      idempotencyKey: 'run/step',
      timeoutMs: 5_000,
      signal: new AbortController().signal,
    });
    expect(answer.output).toMatchObject({ text: '{"sum":4}' });
    // Anthropic wants a limit in any case: the SDK knows that of the model.
    if (wanted !== undefined || provider !== 'anthropic') expect(limitOf(seen[0])).toBe(wanted);
  });
});

it('shows what went over the wire without the key', async () => {
  server.use(...modelProvider('openai', `Your key is ${KEY}.`));
  const frames: Frame[] = [];
  await ask('openai', { prompt: 'What is my key?' }, { frames });
  expect(frames).toMatchObject([{ method: 'POST', url: `${MODEL_ORIGIN}/v1/chat/completions`, status: 200 }]);
  expect(frames[0]?.requestBody).toContain('What is my key?');
  expect(JSON.stringify(frames)).not.toContain(KEY);
});

describe('a run', () => {
  let test: TestDatabase;
  let fixture: RunFixture;
  beforeAll(async () => {
    test = await createTestDatabase();
    fixture = await createRunFixture(test);
  });
  afterAll(async () => {
    await fixture.close();
    await test.close();
  });

  it('decides on the model call, waits as the provider asks, and counts tokens and cost once', async () => {
    const workspace = await fixture.makeWorkspace();
    const made = await fixture.makeCapability(workspace, { name: 'small', slug: 'hub', endpoint: `${MODEL_ORIGIN}/v1` });
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.connections set kind = 'model', settings = $2 where id = $1`, [
        made.connectionId,
        JSON.stringify({ provider: 'openai', prices: { small: { input: 2, output: 8 } } }),
      ]);
      await client.query(`update quorate.capabilities set kind = 'model' where id = $1`, [made.capabilityId]);
    });
    let calls = 0;
    server.use(
      failingProvider('openai', () => {
        calls += 1;
        return calls === 1
          ? HttpResponse.json({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '1' } })
          : HttpResponse.json(INTERFACES.openai.answer('Short.'));
      }),
    );
    await fixture.startWorker(peers.call);
    const workflow = await fixture.makeWorkflow(workspace, {
      steps: [
        {
          kind: 'model',
          id: 'sum_up',
          name: 'Sum up',
          connection: 'hub',
          capability: 'small',
          input: { prompt: '="Sum up: " & "a long text"' },
          maxTokens: 60,
          backoffSeconds: 0,
        },
      ],
    });
    const begun = Date.now();
    const runId = await fixture.start(workspace, workflow);
    const run = await fixture.until(runId, ['completed', 'failed']);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(900);
    expect(run).toMatchObject({ status: 'completed', tokens_in: 19, tokens_out: 10, cost_micros: 118, output: { text: 'Short.' } });
    const [step] = await fixture.steps(runId);
    expect(step).toMatchObject({
      status: 'success',
      attempt: 2,
      tokens_in: 19,
      tokens_out: 10,
      cost_micros: 118,
      input: { maxTokens: 60 },
    });
    const decisions = await test.owner.query('select action, verdict from quorate.decisions where run_id = $1', [runId]);
    expect(decisions.rows).toEqual([
      { action: 'call_model', verdict: 'allow' },
      { action: 'call_model', verdict: 'allow' },
    ]);
  });
});

describe('a service that does not stream as it should', () => {
  const asking = { prompt: 'Two and two?' };
  const streamed = (body: unknown) => (body as { stream?: boolean }).stream === true;
  // A model of its own each: how a service streams is remembered.
  const askAnew = async (model: string, stream: () => Response) => {
    const bodies: unknown[] = [];
    server.use(
      http.post(`${MODEL_ORIGIN}${INTERFACES.openai.generate}`, async ({ request }) => {
        bodies.push(await request.json());
        return streamed(bodies.at(-1)) ? stream() : HttpResponse.json(INTERFACES.openai.answer('Four.'));
      }),
    );
    const once = () =>
      peers.call({
        peer: peerOf('openai'),
        capability: { name: model, fingerprint: '' },
        input: asking,
        idempotencyKey: 'run/step',
        timeoutMs: 5_000,
        signal: new AbortController().signal,
        onText: () => undefined,
      });
    return { once, asked: () => bodies.map(streamed) };
  };

  it('is taken at its whole answer, and asked for it from then on', async () => {
    const { once, asked } = await askAnew('whole', () => HttpResponse.json(INTERFACES.openai.answer('Four.')));
    for (let n = 0; n < 2; n += 1) expect((await once()).output).toMatchObject({ text: 'Four.', usage: { outputTokens: 10 } });
    expect(asked()).toEqual([true, false]);
  });

  it('is asked for the whole where it refuses to stream', async () => {
    const { once, asked } = await askAnew('refusing', () => HttpResponse.json({ error: { message: 'unknown field' } }, { status: 400 }));
    for (let n = 0; n < 2; n += 1) expect((await once()).output).toMatchObject({ text: 'Four.' });
    expect(asked()).toEqual([true, false, false]);
  });

  it('fails where it breaks off, and is asked for the whole from then on', async () => {
    const cut = 'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Fo"}}]}\n\n';
    const { once, asked } = await askAnew('cut', () => new HttpResponse(cut, { headers: { 'content-type': 'text/event-stream' } }));
    expect(await failureOf(once())).toMatchObject({ key: 'peerAnswerGarbage' });
    expect((await once()).output).toMatchObject({ text: 'Four.' });
    expect(asked()).toEqual([true, false]);
  });
});
