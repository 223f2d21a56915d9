import type { ModelMessage, ToolSet } from 'ai';
import type { Json } from '#app/contracts/json.ts';
import type { ModelProvider } from '#app/contracts/models.ts';
import {
  type GuardedFetch,
  type ModelAnswer,
  ModelCallError,
  type ModelPort,
  type ModelRequest,
  type ModelTool,
} from '#app/contracts/ports.ts';
import { retryAfterSeconds as parseRetryAfter } from '#app/domain/connections/retry-after.ts';
import { anthropic } from '#app/platform/models/providers/anthropic.ts';
import { google } from '#app/platform/models/providers/google.ts';
import { mistral } from '#app/platform/models/providers/mistral.ts';
import { ollama } from '#app/platform/models/providers/ollama.ts';
import type { OpenModel } from '#app/platform/models/providers/open-model.ts';
import { openai } from '#app/platform/models/providers/openai.ts';
import { askForText } from '#app/platform/models/streamed-answer.ts';

/** The platform's table of model providers: one line a provider. */
const PROVIDERS = { openai, anthropic, google, mistral, ollama } satisfies Record<ModelProvider, OpenModel>;

/**
 * Language models through the `ai` SDK. It and the provider's package are loaded with the first call of their kind: an
 * instance that calls no model holds none of it in memory.
 */
export function createModels(): ModelPort {
  return { generate };
}

async function generate(request: ModelRequest): Promise<ModelAnswer> {
  const ai = await import('ai');
  const { schema, messages } = request;
  const options = {
    ...(request.system === '' ? {} : { instructions: request.system }),
    ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    // Attempts are the journal's: each is a decision of its own.
    maxRetries: 0,
    abortSignal: request.signal,
    headers: { 'idempotency-key': request.idempotencyKey },
  };
  const open = (fetch: GuardedFetch) => PROVIDERS[request.provider]({ ...request, fetch });
  // The SDK writes warnings to the console, where nobody would read them.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  try {
    if (schema !== null || messages === undefined) {
      const output = schema === null ? {} : { output: ai.Output.object({ schema: ai.jsonSchema<unknown>(schema) }) };
      const result = await askForText(ai, request, { ...options, messages: [{ role: 'user', content: request.prompt }], ...output }, open);
      return {
        text: result.text,
        json: result.output,
        finishReason: result.finishReason,
        usage: usageOf(result.usage),
        toolCalls: [],
        message: messageOf(result.responseMessages),
      };
    }
    // Written by this SDK and by the agent's step, stored as JSON in between.
    const conversation = { messages: messages as unknown as ModelMessage[], tools: toolsOf(ai, request.tools ?? []) };
    const result = await askForText(ai, request, { ...options, ...conversation }, open);
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
  } catch (error) {
    if (ai.NoObjectGeneratedError.isInstance(error))
      throw new ModelCallError({ kind: 'noFit' }, { cause: error, usage: error.usage === undefined ? null : usageOf(error.usage) });
    if (ai.NoOutputGeneratedError.isInstance(error)) throw new ModelCallError({ kind: 'noFit' }, { cause: error });
    if (error instanceof ModelCallError || !ai.APICallError.isInstance(error)) throw error;
    const status = error.statusCode;
    // Without a status the request never got an answer: the fetch's own error is the cause.
    if (status === undefined) throw error.cause ?? error;
    if (status >= 200 && status < 300) throw new ModelCallError({ kind: 'garbage' }, { cause: error });
    const retryAfterSeconds = parseRetryAfter(error.responseHeaders?.['retry-after']);
    throw new ModelCallError({ kind: 'status', status, retryAfterSeconds, message: error.message }, { cause: error });
  }
}

/** Tools without anything to carry them out: the SDK then hands back what the model asked for. */
function toolsOf(ai: typeof import('ai'), tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, ai.tool({ description, inputSchema: ai.jsonSchema<unknown>(inputSchema) })]),
  );
}

/** The assistant's message alone: the step adds the tools' answers, also for invalid calls. */
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
