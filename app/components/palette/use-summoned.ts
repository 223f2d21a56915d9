import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';

export type Summoned = ComponentType<{ onClose: () => void }>;

/**
 * Something over the page that a key opens and closes: fetched when it is first asked for, and the focus is back where it was once it is
 * gone. `isKey` and `load` are the same ones each time. `part` is null while it is closed or not fetched.
 */
export function useSummoned(isKey: (event: KeyboardEvent) => boolean, load: () => Promise<Summoned>) {
  const [Part, setPart] = useState<Summoned | null>(null);
  const [open, setOpen] = useState(false);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isKey(event)) return;
      event.preventDefault();
      setOpen((isOpen) => {
        if (!isOpen) before.current = document.activeElement;
        return !isOpen;
      });
      load().then(
        (loaded) => setPart(() => loaded),
        // Without the network the page that it stands for is still there.
        () => setOpen(false),
      );
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isKey, load]);
  useEffect(() => {
    // Only once it is gone: while it is open it keeps the focus inside.
    if (open || !(before.current instanceof HTMLElement)) return;
    before.current.focus();
    before.current = null;
  }, [open]);
  // The same one each time: what is drawn with it is drawn again with another.
  const close = useCallback(() => setOpen(false), []);
  return { Part: open ? Part : null, close };
}
