import type { z } from 'zod';
import type { ListedModel } from '#app/engine/models/model-capability.ts';

/** How a provider lists the models that a key may use. */
export type ProviderList = {
  /** Path and query below the connection's address. */
  path: string;
  /** The headers in which the provider wants its key. */
  headers(key: string | null): Record<string, string>;
  /** Reads the list as the provider's reference describes it; what else it says is left alone. */
  models: z.ZodType<ListedModel[]>;
};

export const bearer = (key: string | null): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` });

/** One model of a list; `contextTokens` null where the provider does not say. */
export function listed(id: string, title?: string, description?: string, contextTokens?: number): ListedModel {
  return { id, title: title ?? id, description: description ?? '', contextTokens: contextTokens ?? null };
}
