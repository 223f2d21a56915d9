import { z } from 'zod';
import { listed, type ProviderList } from '#app/engine/models/providers/provider.ts';

const text = z.string().max(400);

/** Gemini API reference, "models.list". */
export const google: ProviderList = {
  path: '/models?pageSize=1000',
  headers: (key): Record<string, string> => (key === null ? {} : { 'x-goog-api-key': key }),
  models: z
    .object({
      models: z.array(
        z.object({
          name: text,
          displayName: text.optional(),
          description: z.string().optional(),
          inputTokenLimit: z.number().optional(),
          supportedGenerationMethods: z.array(z.string()).optional(),
        }),
      ),
    })
    .transform(({ models }) =>
      models
        .filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
        .map((model) => listed(model.name.replace(/^models\//, ''), model.displayName, model.description, model.inputTokenLimit)),
    ),
};
