import type { ReactNode } from 'react';
import { LocaleProvider, useLocale } from '#app/components/text/locale-context.tsx';

/** Times inside are those of the workspace's zone, the same for whoever reads them. */
export function WorkspaceZone({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  const locale = useLocale();
  return <LocaleProvider locale={{ ...locale, timeZone }}>{children}</LocaleProvider>;
}
