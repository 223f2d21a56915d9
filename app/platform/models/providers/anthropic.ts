import { NO_KEY, type OpenModel } from '#app/platform/models/providers/open-model.ts';

export const anthropic: OpenModel = async ({ baseUrl, credential, model, fetch }) => {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ baseURL: baseUrl, apiKey: credential ?? NO_KEY, fetch })(model);
};
