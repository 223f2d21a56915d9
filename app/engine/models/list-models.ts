import type { ModelProvider } from '#app/contracts/models.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { failureOfStatus, garbage } from '#app/engine/connections/peer-failure.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';
import type { ListedModel } from '#app/engine/models/model-capability.ts';
import { anthropic } from '#app/engine/models/providers/anthropic.ts';
import { google } from '#app/engine/models/providers/google.ts';
import { mistral } from '#app/engine/models/providers/mistral.ts';
import { ollama } from '#app/engine/models/providers/ollama.ts';
import { openai } from '#app/engine/models/providers/openai.ts';
import type { ProviderList } from '#app/engine/models/providers/provider.ts';

/** The engine's table of model providers: one line a provider. */
const PROVIDERS = { openai, anthropic, google, mistral, ollama } satisfies Record<ModelProvider, ProviderList>;

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
  const { path, headers, models } = PROVIDERS[provider];
  const response = await fetch(`${target.url.href.replace(/\/+$/, '')}${path}`, {
    headers: { accept: 'application/json', ...headers(target.credential) },
    signal,
  });
  if (!response.ok) throw failureOfStatus(response.status);
  let body: unknown;
  try {
    body = await response.json();
  } catch (error) {
    throw garbage('HTTP', error);
  }
  const parsed = models.safeParse(body);
  if (!parsed.success) throw garbage('HTTP', parsed.error);
  const byId = new Map(parsed.data.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
