import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { latestTexts, type PartialText, type PartialTexts } from '#app/features/runs/writing/partial-text.ts';

/**
 * Keeps the page of a run up to date while `active`. Returns what its steps are writing, or those `within` an item of a loop; screen readers hear
 * of each once, when it has ended.
 */
export function usePartialTexts(runId: string, active: boolean, read: PartialTexts, within = ''): readonly PartialText[] {
  const { t } = useTranslation('runs');
  const { announce } = useAccessibility();
  const [streamed, setStreamed] = useState<PartialTexts | null>(null);
  useRunChanges(runId, active, setStreamed, within);
  const shown = latestTexts(read, streamed);
  // Seen by whoever looks on, by path.
  const seen = useRef(new Map<string, string>());
  useEffect(() => {
    for (const [path, name] of seen.current) {
      if (shown.some((text) => text.path === path)) continue;
      seen.current.delete(path);
      announce(t('writing.done', { name }));
    }
    for (const { path, name } of shown) seen.current.set(path, name);
  }, [shown, announce, t]);
  return shown;
}
