import { z } from 'zod';
import { bearer, listed, type ProviderList } from '#app/engine/models/providers/provider.ts';

/** Ollama API, "List Local Models". */
export const ollama: ProviderList = {
  path: '/api/tags',
  headers: bearer,
  models: z
    .object({ models: z.array(z.object({ name: z.string().max(400) })) })
    .transform(({ models }) => models.map(({ name }) => listed(name))),
};
