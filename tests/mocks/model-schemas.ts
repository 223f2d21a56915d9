/**
 * What each provider's published reference takes in a request, so that a mock refuses what the provider would: OpenAI "Create chat completion"
 * and its note on reasoning models, Anthropic "Messages", Gemini "models.generateContent", Mistral "Chat completion", and a local server that is
 * compatible with OpenAI's interface of 2024 and refuses what it does not know.
 */
import { HttpResponse, http } from 'msw';
import { z } from 'zod';

const any = z.unknown();
const optional = (...names: string[]) => Object.fromEntries(names.map((name) => [name, any.optional()]));
const limit = z.int().min(1);
const messages = z.array(z.looseObject({ role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']) })).min(1);
const chat = optional(
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'n',
  'parallel_tool_calls',
  'presence_penalty',
  'response_format',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
);
const openai = {
  ...chat,
  ...optional(
    'audio',
    'metadata',
    'modalities',
    'prediction',
    'prompt_cache_key',
    'reasoning_effort',
    'safety_identifier',
    'service_tier',
    'store',
    'verbosity',
    'web_search_options',
  ),
  model: z.string(),
  messages,
  max_completion_tokens: limit.optional(),
};

const SCHEMAS = {
  reasoning: z.strictObject({ ...openai, temperature: z.literal(1).optional() }),
  openai: z.strictObject({ ...openai, max_tokens: limit.optional() }),
  local: z.strictObject({ ...chat, model: z.string(), messages, max_tokens: limit.optional() }),
  anthropic: z.strictObject({
    ...optional(
      'metadata',
      'output_config',
      'service_tier',
      'stop_sequences',
      'stream',
      'thinking',
      'tool_choice',
      'tools',
      'top_k',
      'top_p',
    ),
    model: z.string(),
    max_tokens: limit,
    system: any.optional(),
    temperature: z.number().min(0).max(1).optional(),
    messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant']) })).min(1),
  }),
  google: z.strictObject({
    ...optional('cachedContent', 'safetySettings', 'systemInstruction', 'toolConfig', 'tools'),
    contents: z.array(z.looseObject({ role: z.enum(['user', 'model']) })).min(1),
    generationConfig: z
      .strictObject({
        ...optional('responseJsonSchema', 'responseMimeType', 'responseSchema', 'seed', 'stopSequences', 'thinkingConfig', 'topK', 'topP'),
        maxOutputTokens: limit.optional(),
        temperature: z.number().min(0).max(2).optional(),
      })
      .optional(),
  }),
  mistral: z.strictObject({
    ...optional(
      'frequency_penalty',
      'metadata',
      'n',
      'parallel_tool_calls',
      'prediction',
      'presence_penalty',
      'prompt_mode',
      'random_seed',
      'response_format',
      'safe_prompt',
      'stop',
      'stream',
      'temperature',
      'tool_choice',
      'tools',
      'top_p',
    ),
    model: z.string(),
    messages,
    max_tokens: limit.optional(),
  }),
};
export type Wire = keyof typeof SCHEMAS;

/** Returns as the provider does: 400 with what is wrong for what its reference does not take. `seen` gets each body. */
export function strictProvider(wire: Wire, url: string, answer: object, seen: Record<string, unknown>[]) {
  return http.post(url.replaceAll(/:(?=generate)/g, '\\:'), async ({ request }) => {
    const body = z.record(z.string(), any).parse(await request.json());
    seen.push(body);
    const read = SCHEMAS[wire].safeParse(body);
    if (read.success) return HttpResponse.json(answer);
    const message = read.error.issues.map((issue) => issue.message).join('; ');
    return HttpResponse.json(
      { error: { message, type: 'invalid_request_error', code: 'unsupported_parameter', status: 'INVALID_ARGUMENT' } },
      { status: 400 },
    );
  });
}
