import type { Json } from '#app/contracts/json.ts';
import type { ModelProvider } from '#app/contracts/models.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { fingerprintOf, shownText } from '#app/engine/connections/fingerprint.ts';

/** A model as its provider lists it. `contextTokens`: what it can read at once, where the provider says so. */
export type ListedModel = { id: string; title: string; description: string; contextTokens: number | null };

/** The input that a step may give a model. */
const INPUT_SCHEMA: { [key: string]: Json } = {
  type: 'object',
  properties: {
    prompt: { type: 'string', title: 'Prompt' },
    system: { type: 'string', title: 'System' },
    maxTokens: { type: 'integer', title: 'Max tokens', minimum: 1 },
    temperature: { type: 'number', title: 'Temperature', minimum: 0, maximum: 2 },
    schema: { type: 'object', title: 'JSON Schema' },
  },
  required: ['prompt'],
  additionalProperties: false,
};

const OUTPUT_SCHEMA: { [key: string]: Json } = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    json: { type: 'object' },
    finishReason: { type: 'string' },
    usage: { type: 'object', properties: { inputTokens: { type: 'integer' }, outputTokens: { type: 'integer' } } },
  },
  required: ['text', 'finishReason', 'usage'],
};

/** A model as a capability. The fingerprint covers which model of which provider it is, not how the provider advertises it. */
export function capabilityOfModel(provider: ModelProvider, model: ListedModel): PeerCapability {
  const definition: { [key: string]: Json } = { provider, model: model.id, contextTokens: model.contextTokens, input: INPUT_SCHEMA };
  return {
    kind: 'model',
    name: model.id,
    title: shownText(model.title, 200),
    description: shownText(model.description, 2_000),
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
    definition,
    fingerprint: fingerprintOf(definition),
  };
}
