import { NO_KEY, type OpenModel } from '#app/platform/models/providers/open-model.ts';

export const mistral: OpenModel = async ({ baseUrl, credential, model, fetch }) => {
  const { createMistral } = await import('@ai-sdk/mistral');
  return createMistral({ baseURL: baseUrl, apiKey: credential ?? NO_KEY, fetch })(model);
};
