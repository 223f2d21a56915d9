import type { TFunction } from 'i18next';
import { MODEL_PROVIDERS, type ModelProvider } from '#app/contracts/models.ts';
import { APP_PARTNER_NAMES, APP_PARTNERS } from '#app/domain/connections/app-partners.ts';
import type { ServiceKind } from '#app/features/connections/connection-area.ts';

const PROVIDER_NAMES: Readonly<Record<Exclude<ModelProvider, 'openai'>, string>> = {
  anthropic: 'Anthropic',
  google: 'Google Gemini',
  mistral: 'Mistral',
  ollama: 'Ollama',
};

/** Choices of a connection form, by the names that the services give themselves. */
export function serviceOptions(t: TFunction<'connections'>, kind: ServiceKind): { value: string; label: string }[] {
  if (kind === 'app') return APP_PARTNERS.map((value) => ({ value, label: APP_PARTNER_NAMES[value] }));
  return MODEL_PROVIDERS.map((value) => ({ value, label: value === 'openai' ? t('model.openaiCompatible') : PROVIDER_NAMES[value] }));
}

export function serviceName(t: TFunction<'connections'>, kind: ServiceKind, service: string): string {
  return serviceOptions(t, kind).find((option) => option.value === service)?.label ?? service;
}
