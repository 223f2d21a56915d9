import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { furtherTexts, type PartialText } from '#app/features/runs/writing/partial-text.ts';

/**
 * Keeps the page of a run up to date while `active`. Returns what its steps are writing, or those `within` an item of a loop; screen readers hear
 * of each once, when it has ended.
 */
export function usePartialTexts(runId: string, active: boolean, read: readonly PartialText[], within = ''): readonly PartialText[] {
  const { t } = useTranslation('runs');
  const { announce } = useAccessibility();
  const [streamed, setStreamed] = useState<{ since: readonly PartialText[]; texts: readonly PartialText[] }>({ since: read, texts: [] });
  const now = useRef(read);
  now.current = read;
  const [onText] = useState(() => (texts: readonly PartialText[]) => setStreamed({ since: now.current, texts }));
  useRunChanges(runId, active, onText, within);
  const shown = streamed.since === read && streamed.texts.length > 0 ? streamed.texts : furtherTexts(read, streamed.texts);
  // Seen by whoever looks on, by path: once the page that was read anew has none there, the text has ended.
  const seen = useRef(new Map<string, string>());
  for (const { path, name } of shown) seen.current.set(path, name);
  useEffect(() => {
    for (const [path, name] of seen.current) {
      if (read.some((text) => text.path === path)) continue;
      seen.current.delete(path);
      announce(t('writing.done', { name }));
    }
  }, [read, announce, t]);
  return shown;
}
