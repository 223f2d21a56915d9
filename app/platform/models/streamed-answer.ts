import type { LanguageModel, ModelMessage, Output, ToolSet } from 'ai';
import { LRUCache } from 'lru-cache';
import { type GuardedFetch, ModelCallError, type ModelRequest } from '#app/contracts/ports.ts';

type Ai = typeof import('ai');
export type Question = {
  messages: ModelMessage[];
  tools?: ToolSet;
  output?: Output.Output<unknown, unknown>;
  instructions?: string;
  maxOutputTokens?: number;
  temperature?: number;
  maxRetries: number;
  abortSignal: AbortSignal;
  headers: Record<string, string>;
};
type Whole = {
  text: string;
  output: unknown;
  finishReason: string;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
  toolCalls: readonly { toolCallId: string; toolName: string; input: unknown; invalid?: boolean }[];
  responseMessages: readonly ModelMessage[];
};
type OpenModel = (fetch: GuardedFetch) => Promise<LanguageModel>;

/** Services that did not stream, or not with a reason for the end and a count of tokens. Asked again for the whole after an hour. */
const wholeOnly = new LRUCache<string, true>({ max: 1_000, ttl: 3_600_000 });
/** Refused, so nothing was begun: a service that is only compatible may not know what a stream is asked for with. */
const UNKNOWN_OPTION: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

/** Thrown out of the request for a stream that was answered whole. */
class AnsweredWhole extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super('answered whole');
    this.response = response;
  }
}

/** Asks for the text as it is written, where someone takes it and the service can; otherwise for the whole. Throws as the SDK does. */
export async function askForText(
  ai: Ai,
  { onText, fetch, baseUrl, model }: Pick<ModelRequest, 'onText' | 'fetch' | 'baseUrl' | 'model'>,
  question: Question,
  open: OpenModel,
): Promise<Whole> {
  const whole = async (from: GuardedFetch): Promise<Whole> => {
    const result = await ai.generateText({ ...question, model: await open(from) });
    const { text, finishReason, usage, toolCalls, responseMessages } = result;
    return { text, output: question.output && result.output, finishReason, usage, toolCalls, responseMessages };
  };
  const service = `${baseUrl} ${model}`;
  if (onText === undefined || wholeOnly.has(service)) return whole(fetch);
  try {
    return await readStream(ai, onText, question, await open(streamsOnly(fetch)), () => wholeOnly.set(service, true));
  } catch (error) {
    if (error instanceof AnsweredWhole) {
      wholeOnly.set(service, true);
      return whole(async () => error.response);
    }
    if (ai.InvalidResponseDataError.isInstance(error)) wholeOnly.set(service, true);
    if (!ai.APICallError.isInstance(error) || !UNKNOWN_OPTION.has(error.statusCode ?? 0)) throw error;
    const answer = await whole(fetch);
    wholeOnly.set(service, true);
    return answer;
  }
}

/** The same fetch for a stream; an answer that is none is thrown, for it to be read as what it is. */
function streamsOnly(fetch: GuardedFetch): GuardedFetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, longStream: true });
    if (response.ok && response.headers.get('content-type')?.startsWith('application/json') === true) throw new AnsweredWhole(response);
    return response;
  };
}

async function readStream(
  ai: Ai,
  onText: (piece: string) => void,
  question: Question,
  model: LanguageModel,
  onIncomplete: () => void,
): Promise<Whole> {
  const failed: { error: unknown }[] = [];
  const result = ai.streamText({
    ...question,
    model,
    onError: ({ error }: { error: unknown }) => {
      failed.push({ error });
    },
  });
  for await (const piece of result.textStream) onText(piece);
  question.abortSignal.throwIfAborted();
  if (failed[0] !== undefined) throw failed[0].error;
  const [rawFinishReason, usage] = [await result.rawFinishReason, await result.usage];
  if (rawFinishReason === undefined || usage.outputTokens === undefined) onIncomplete();
  // Without a reason for its end nobody knows that it is all.
  if (rawFinishReason === undefined) throw new ModelCallError({ kind: 'garbage' });
  return {
    text: await result.text,
    output: question.output && (await result.output),
    finishReason: await result.finishReason,
    usage,
    toolCalls: await result.toolCalls,
    responseMessages: await result.responseMessages,
  };
}
