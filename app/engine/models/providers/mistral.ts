import { z } from 'zod';
import { bearer, listed, type ProviderList } from '#app/engine/models/providers/provider.ts';

const text = z.string().max(400);

/** Mistral API reference, "List Models". */
export const mistral: ProviderList = {
  path: '/models',
  headers: bearer,
  models: z
    .object({
      data: z.array(
        z.object({
          id: text,
          name: text.nullish(),
          description: z.string().nullish(),
          max_context_length: z.number().optional(),
          capabilities: z.object({ completion_chat: z.boolean().optional() }).optional(),
        }),
      ),
    })
    .transform(({ data }) =>
      data
        .filter((model) => model.capabilities?.completion_chat ?? true)
        .map((model) => listed(model.id, model.name ?? undefined, model.description ?? undefined, model.max_context_length)),
    ),
};
