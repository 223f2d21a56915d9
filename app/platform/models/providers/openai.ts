import { openCompatible } from '#app/platform/models/providers/compatible.ts';
import type { OpenModel } from '#app/platform/models/providers/open-model.ts';

export const openai: OpenModel = (request) =>
  openCompatible(
    'openai',
    request.baseUrl,
    request,
    wantsCompletionTokens(request.baseUrl, request.model) ? { transformRequestBody: asCompletionTokens } : {},
  );

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
