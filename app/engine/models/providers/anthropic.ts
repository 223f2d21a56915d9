import { z } from 'zod';
import { listed, type ProviderList } from '#app/engine/models/providers/provider.ts';

const text = z.string().max(400);

/** Anthropic API reference, "List Models". */
export const anthropic: ProviderList = {
  path: '/models?limit=1000',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) }),
  models: z
    .object({ data: z.array(z.object({ id: text, display_name: text.optional() })) })
    .transform(({ data }) => data.map((model) => listed(model.id, model.display_name))),
};
