import { z } from 'zod';
import type { ModelProvider } from '#app/domain/connections/model-connection.ts';
import type { GuardedFetch } from '#app/domain/ports.ts';
import { failureOfStatus, garbage } from '#app/engine/connections/peer-failure.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';
import type { ListedModel } from '#app/engine/models/model-capability.ts';

const text = z.string().max(400);

/** Each provider's list as its reference describes it; what else it says is left alone. */
const LISTS = {
  // OpenAI API reference, "List models", and all that are compatible with it
  openai: z.object({ data: z.array(z.object({ id: text })) }).transform(({ data }) => data.map(({ id }) => listed(id))),
  // Anthropic API reference, "List Models"
  anthropic: z
    .object({ data: z.array(z.object({ id: text, display_name: text.optional() })) })
    .transform(({ data }) => data.map((model) => listed(model.id, model.display_name))),
  // Gemini API reference, "models.list"
  google: z
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
  // Mistral API reference, "List Models"
  mistral: z
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
  // Ollama API, "List Local Models"
  ollama: z.object({ models: z.array(z.object({ name: text })) }).transform(({ models }) => models.map(({ name }) => listed(name))),
} satisfies Record<ModelProvider, z.ZodType<ListedModel[]>>;

const PATHS: Readonly<Record<ModelProvider, string>> = {
  openai: '/models',
  anthropic: '/models?limit=1000',
  google: '/models?pageSize=1000',
  mistral: '/models',
  ollama: '/api/tags',
};

/** Header in which each provider wants its key. */
function keyHeaders(provider: ModelProvider, key: string | null): Record<string, string> {
  if (provider === 'anthropic') return { 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) };
  if (key === null) return {};
  return provider === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

/** The models that a key may use, by name. @throws PeerError, or what the fetch throws */
export async function listModels({
  provider,
  target,
  fetch,
  signal,
}: {
  provider: ModelProvider;
  target: PeerTarget;
  fetch: GuardedFetch;
  signal: AbortSignal;
}): Promise<ListedModel[]> {
  const response = await fetch(`${target.url.href.replace(/\/+$/, '')}${PATHS[provider]}`, {
    headers: { accept: 'application/json', ...keyHeaders(provider, target.credential) },
    signal,
  });
  if (!response.ok) throw failureOfStatus(response.status);
  let body: unknown;
  try {
    body = await response.json();
  } catch (error) {
    throw garbage('HTTP', error);
  }
  const parsed = LISTS[provider].safeParse(body);
  if (!parsed.success) throw garbage('HTTP', parsed.error);
  const byId = new Map(parsed.data.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function listed(id: string, title?: string, description?: string, contextTokens?: number): ListedModel {
  return { id, title: title ?? id, description: description ?? '', contextTokens: contextTokens ?? null };
}
