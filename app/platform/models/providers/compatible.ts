import type { LanguageModel } from 'ai';
import type { OpenModel } from '#app/platform/models/providers/open-model.ts';

/** A model behind any service that speaks OpenAI's chat completions. */
export async function openCompatible(
  name: string,
  baseURL: string,
  { credential, model, fetch }: Parameters<OpenModel>[0],
  more: { transformRequestBody?: (body: Record<string, unknown>) => Record<string, unknown> } = {},
): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name,
    baseURL,
    ...(credential === null ? {} : { apiKey: credential }),
    fetch,
    // Without it a stream counts no tokens.
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...more,
  })(model);
}
