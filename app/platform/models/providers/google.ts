import { NO_KEY, type OpenModel } from '#app/platform/models/providers/open-model.ts';

export const google: OpenModel = async ({ baseUrl, credential, model, fetch }) => {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
  return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: credential ?? NO_KEY, fetch })(model);
};
