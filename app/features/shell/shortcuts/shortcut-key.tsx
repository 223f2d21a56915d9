import { useCallback } from 'react';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { type Summoned, useSummoned } from '#app/components/palette/use-summoned.ts';
import { isTyping } from '#app/features/shell/shortcuts/toggle-shortcut.ts';

const load = (): Promise<Summoned> => import('#app/features/shell/shortcuts/shortcut-sheet.tsx').then((loaded) => loaded.ShortcutSheet);

/** A question mark lists the shortcuts, except where it is typed, and only for those who want single keys (WCAG 2.1.4). */
export function ShortcutKey() {
  const on = useAccessibility().settings.keyboardNavigation;
  const isKey = useCallback(
    (event: KeyboardEvent) =>
      on && event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !isTyping(event.target),
    [on],
  );
  const { Part, close } = useSummoned(isKey, load);
  return Part === null ? null : <Part onClose={close} />;
}
