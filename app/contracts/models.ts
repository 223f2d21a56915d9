/** Kinds of interface that a model connection speaks. `openai` is every service that is compatible with OpenAI's chat completions. */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'google', 'mistral', 'ollama'] as const;

export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Tokens as the provider counted them. */
export type TokenUsage = { inputTokens: number; outputTokens: number };
