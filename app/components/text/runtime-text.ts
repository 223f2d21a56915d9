import type { i18n } from 'i18next';
import type { Namespace } from '#app/platform/i18n/namespaces.ts';

/**
 * The text for a key that is known only at run time (out of the database, a cookie, a schema), or null where there is
 * none. Whoever calls it must have asked for the namespace with `useTranslation`, so that it has been loaded.
 */
export function runtimeText(texts: i18n, namespace: Namespace, key: string, values: Record<string, unknown> = {}): string | null {
  if (!texts.exists(key, { ns: namespace, ...values })) return null;
  return String(texts.t(key as never, { ns: namespace, ...values } as never));
}
