/**
 * Providers of language models as their published references describe them: OpenAI "Create chat completion", Anthropic
 * "Messages", Gemini "models.generateContent", Mistral "Chat completion", Ollama "OpenAI compatibility", and each one's list.
 */
import { HttpResponse, http } from 'msw';
import type { ModelProvider } from '#app/contracts/models.ts';

export const MODEL_ORIGIN = 'https://models.example.com';
export const KEY = 'sk-test-0123456789';

const completion = (text: string) => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion',
  created: 1_741_569_952,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 },
});

const toolCompletion = (name: string, input: object) => ({
  ...completion(''),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_abc12', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
});

const toolMessage = (name: string, input: object) => ({
  ...message(''),
  content: [{ type: 'tool_use', id: 'toolu_01D7FLrfh4GYq7yT1ULFeyMV', name, input }],
  stop_reason: 'tool_use',
});

const toolCandidate = (name: string, args: object) => ({
  ...candidate(''),
  candidates: [
    { content: { parts: [{ functionCall: { name, args }, thoughtSignature: 'c2lnbmVk' }], role: 'model' }, finishReason: 'STOP', index: 0 },
  ],
});

const message = (text: string) => ({
  id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: 'small',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 19, output_tokens: 10 },
});

const candidate = (text: string) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 19, candidatesTokenCount: 10, totalTokenCount: 29 },
  modelVersion: 'small',
});

type Interface = {
  base: string;
  list: string;
  generate: string;
  key: [header: string, value: string];
  models: object;
  answer(text: string): object;
  /** An answer that asks for one call of a tool. */
  ask(tool: string, input: object): object;
};

const bearer: Interface['key'] = ['authorization', `Bearer ${KEY}`];
const openaiList = { object: 'list', data: [{ id: 'small', object: 'model', created: 1_686_935_002, owned_by: 'somebody' }] };

export const INTERFACES: Readonly<Record<ModelProvider, Interface>> = {
  openai: {
    base: '/v1',
    list: '/v1/models',
    generate: '/v1/chat/completions',
    key: bearer,
    models: openaiList,
    answer: completion,
    ask: toolCompletion,
  },
  anthropic: {
    base: '/v1',
    list: '/v1/models',
    generate: '/v1/messages',
    key: ['x-api-key', KEY],
    models: {
      data: [{ type: 'model', id: 'small', display_name: 'Small', created_at: '2025-02-19T00:00:00Z' }],
      has_more: false,
      first_id: 'small',
      last_id: 'small',
    },
    answer: message,
    ask: toolMessage,
  },
  google: {
    base: '/v1beta',
    list: '/v1beta/models',
    generate: '/v1beta/models/small:generateContent',
    key: ['x-goog-api-key', KEY],
    models: {
      models: [
        { name: 'models/small', displayName: 'Small', inputTokenLimit: 1_048_576, supportedGenerationMethods: ['generateContent'] },
        { name: 'models/embedder', displayName: 'Embedder', supportedGenerationMethods: ['embedContent'] },
      ],
    },
    answer: candidate,
    ask: toolCandidate,
  },
  mistral: {
    base: '/v1',
    list: '/v1/models',
    generate: '/v1/chat/completions',
    key: bearer,
    models: {
      object: 'list',
      data: [
        {
          id: 'small',
          object: 'model',
          name: 'Small',
          description: 'A small one',
          max_context_length: 32_768,
          capabilities: { completion_chat: true },
        },
        { id: 'embedder', object: 'model', name: 'Embedder', max_context_length: 8_192, capabilities: { completion_chat: false } },
      ],
    },
    answer: completion,
    ask: toolCompletion,
  },
  ollama: {
    base: '',
    list: '/api/tags',
    generate: '/v1/chat/completions',
    key: bearer,
    models: {
      models: [{ name: 'small', modified_at: '2025-05-04T17:37:44Z', size: 3_825_819_519, digest: 'fe93', details: { family: 'llama' } }],
    },
    answer: completion,
    ask: toolCompletion,
  },
};

/** A provider that lists one model and answers `text`; `seen` gets the body and headers of each generation. */
export function modelProvider(provider: ModelProvider, text: string, seen: { body: unknown; headers: Headers }[] = []) {
  const { list, generate, key, models, answer } = INTERFACES[provider];
  const refused = (request: Request) => request.headers.get(key[0]) !== key[1];
  return [
    http.get(`${MODEL_ORIGIN}${list}`, ({ request }) =>
      refused(request) ? HttpResponse.json({ error: { message: 'invalid key' } }, { status: 401 }) : HttpResponse.json(models),
    ),
    http.post(`${MODEL_ORIGIN}${generate.replace(':', '\\:')}`, async ({ request }) => {
      if (refused(request)) return HttpResponse.json({ error: { message: 'invalid key' } }, { status: 401 });
      seen.push({ body: await request.json(), headers: request.headers });
      return HttpResponse.json(answer(text));
    }),
  ];
}

/** A provider whose generations all end as told. */
export function failingProvider(provider: ModelProvider, answer: () => Response | Promise<Response>) {
  return http.post(`${MODEL_ORIGIN}${INTERFACES[provider].generate.replace(':', '\\:')}`, answer);
}

/** The events of a streamed answer as each provider writes them; `pieces` are its text. */
function eventsOf(provider: ModelProvider, pieces: readonly string[]): { event?: string; data: unknown }[] {
  if (provider === 'anthropic')
    return [
      {
        event: 'message_start',
        data: {
          type: 'message_start',
          message: { ...message(''), content: [], stop_reason: null, usage: { input_tokens: 19, output_tokens: 1 } },
        },
      },
      { event: 'content_block_start', data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } },
      ...pieces.map((text) => ({
        event: 'content_block_delta',
        data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      })),
      { event: 'content_block_stop', data: { type: 'content_block_stop', index: 0 } },
      {
        event: 'message_delta',
        data: { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
      },
      { event: 'message_stop', data: { type: 'message_stop' } },
    ];
  if (provider === 'google')
    return pieces.map((text, at) => ({
      data: {
        candidates: [
          { content: { parts: [{ text }], role: 'model' }, index: 0, ...(at === pieces.length - 1 && { finishReason: 'STOP' }) },
        ],
        usageMetadata: { promptTokenCount: 19, candidatesTokenCount: 10, totalTokenCount: 29 },
      },
    }));
  const { choices: _, usage, ...rest } = completion('');
  const chunk = { ...rest, object: 'chat.completion.chunk' };
  return [
    ...pieces.map((content) => ({
      data: { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
    })),
    { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage } },
  ];
}

/** A provider that streams `pieces`. */
export function streamingProvider(provider: ModelProvider, pieces: readonly string[]) {
  const path = INTERFACES[provider].generate.replace(':generateContent', '\\:streamGenerateContent');
  const lines = eventsOf(provider, pieces).map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
  return http.post(`${MODEL_ORIGIN}${path}`, () => new HttpResponse(lines.join(''), { headers: { 'content-type': 'text/event-stream' } }));
}
