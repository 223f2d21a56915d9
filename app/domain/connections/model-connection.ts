import { z } from 'zod';
import { MODEL_PROVIDERS, type ModelProvider, type TokenUsage } from '#app/contracts/models.ts';

/** The address of each provider's own service; one typed into the form wins. */
export const MODEL_BASE_URLS: Readonly<Record<ModelProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
  ollama: 'http://localhost:11434',
};

/** US dollars per million tokens. */
export const modelPriceSchema = z.object({ input: z.number().min(0).max(100_000), output: z.number().min(0).max(100_000) });
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** `connections.settings` of the kind `model`. A model without a price has none: its cost is not known. */
export const modelSettingsSchema = z.object({
  provider: z.enum(MODEL_PROVIDERS),
  prices: z.record(z.string(), modelPriceSchema).default({}),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** The price of a model as its connection's settings state it; null where they state none. */
export function statedPrice(settings: unknown, model: string): ModelPrice | null {
  const { data } = modelSettingsSchema.safeParse(settings);
  return data !== undefined && Object.hasOwn(data.prices, model) ? (data.prices[model] ?? null) : null;
}

/** Cost in millionths of a US dollar: dollars per million tokens, times tokens. */
export function costMicros(price: ModelPrice, usage: TokenUsage): number {
  return Math.round(price.input * usage.inputTokens + price.output * usage.outputTokens);
}
