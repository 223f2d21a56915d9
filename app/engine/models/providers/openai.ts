import { z } from 'zod';
import { bearer, listed, type ProviderList } from '#app/engine/models/providers/provider.ts';

/** OpenAI API reference, "List models", and all that are compatible with it. */
export const openai: ProviderList = {
  path: '/models',
  headers: bearer,
  models: z.object({ data: z.array(z.object({ id: z.string().max(400) })) }).transform(({ data }) => data.map(({ id }) => listed(id))),
};
