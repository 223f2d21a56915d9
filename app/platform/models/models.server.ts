import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { retryAfterSeconds as parseRetryAfter } from '#app/domain/connections/retry-after.ts';
import { type ModelAnswer, ModelCallError, type ModelPort, type ModelRequest, type ModelTool } from '#app/domain/ports.ts';
import type { Json } from '#app/domain/tables.ts';

/**
 * Language models through the `ai` SDK. It and the provider's package are loaded with the first call of their kind: an
 * instance that calls no model holds none of it in memory.
 */
export function createModels(): ModelPort {
  return { generate };
}

async function generate(request: ModelRequest): Promise<ModelAnswer> {
  const [ai, model] = await Promise.all([import('ai'), openModel(request)]);
  const options = {
    model,
    ...(request.system === '' ? {} : { instructions: request.system }),
    ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    // Attempts are the journal's: each is a decision of its own.
    maxRetries: 0,
    abortSignal: request.signal,
    headers: { 'idempotency-key': request.idempotencyKey },
  };
  // The SDK's warnings go to the console, where they would be nobody's.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  try {
    const { schema } = request;
    if (schema === null) {
      const result =
        request.messages === undefined
          ? await ai.generateText({ ...options, prompt: request.prompt })
          : // Written by this SDK and by the agent's step, stored as JSON in between.
            await ai.generateText({
              ...options,
              messages: request.messages as unknown as ModelMessage[],
              tools: toolsOf(ai, request.tools ?? []),
            });
      return {
        text: result.text,
        json: undefined,
        finishReason: result.finishReason,
        usage: usageOf(result.usage),
        toolCalls: result.toolCalls.map((call) => ({
          id: call.toolCallId,
          name: call.toolName,
          input: call.invalid === true || !isInput(call.input) ? null : call.input,
        })),
        message: messageOf(result.responseMessages),
      };
    }
    const result = await ai.generateText({
      ...options,
      prompt: request.prompt,
      output: ai.Output.object({ schema: ai.jsonSchema<unknown>(schema) }),
    });
    return { text: result.text, json: result.output, finishReason: result.finishReason, usage: usageOf(result.usage) };
  } catch (error) {
    if (ai.NoObjectGeneratedError.isInstance(error))
      throw new ModelCallError({ kind: 'noFit' }, { cause: error, usage: error.usage === undefined ? null : usageOf(error.usage) });
    if (ai.NoOutputGeneratedError.isInstance(error)) throw new ModelCallError({ kind: 'noFit' }, { cause: error });
    if (!ai.APICallError.isInstance(error)) throw error;
    const status = error.statusCode;
    // Without a status the request never got an answer: the fetch's own error is the cause.
    if (status === undefined) throw error.cause ?? error;
    if (status >= 200 && status < 300) throw new ModelCallError({ kind: 'garbage' }, { cause: error });
    const retryAfterSeconds = parseRetryAfter(error.responseHeaders?.['retry-after']);
    throw new ModelCallError({ kind: 'status', status, retryAfterSeconds, message: error.message }, { cause: error });
  }
}

async function openModel({ provider, baseUrl, credential, model, fetch }: ModelRequest): Promise<LanguageModel> {
  // Never undefined: the packages would look for a key in the process's environment.
  const apiKey = credential ?? '-';
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: baseUrl, apiKey, fetch })(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey, fetch })(model);
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral');
      return createMistral({ baseURL: baseUrl, apiKey, fetch })(model);
    }
    case 'openai':
    case 'ollama': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: provider,
        baseURL: provider === 'ollama' ? `${baseUrl}/v1` : baseUrl,
        ...(credential === null ? {} : { apiKey: credential }),
        fetch,
        supportsStructuredOutputs: true,
        ...(provider === 'openai' && wantsCompletionTokens(baseUrl, model) ? { transformRequestBody: asCompletionTokens } : {}),
      })(model);
    }
  }
}

/** Services of OpenAI's own interface, where `max_tokens` is deprecated for all models and refused by those that reason. */
const OPENAI_HOSTS = /(?:^|\.)(?:openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com)$/;
/** The same models behind a gateway, which may write their maker before the name. */
const OPENAI_MODELS = /^(?:[\w.-]+\/)*(?:o\d|gpt-(?:[5-9]|\d{2}))/;

/**
 * OpenAI API reference, "Create chat completion": the limit of current models is `max_completion_tokens`. Servers that are only compatible
 * know `max_tokens` alone, and some refuse what they do not know.
 */
function wantsCompletionTokens(baseUrl: string, model: string): boolean {
  return OPENAI_HOSTS.test(new URL(baseUrl).hostname) || OPENAI_MODELS.test(model);
}

function asCompletionTokens({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}

/** Tools without anything to carry them out: the SDK then hands back what the model asked for. */
function toolsOf(ai: typeof import('ai'), tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, ai.tool({ description, inputSchema: ai.jsonSchema<unknown>(inputSchema) })]),
  );
}

/** The assistant's message alone: what a tool answered is for the agent's step to say, also for a call that is none. */
function messageOf(messages: readonly ModelMessage[]): Json {
  const message = messages.find(({ role }) => role === 'assistant');
  return message === undefined ? null : (JSON.parse(JSON.stringify(message)) as Json);
}

function isInput(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function usageOf(usage: { inputTokens: number | undefined; outputTokens: number | undefined }): ModelAnswer['usage'] {
  return { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
}
