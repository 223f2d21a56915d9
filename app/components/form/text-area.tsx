import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from '#app/components/live/hydrated.ts';

type Early = { text: string; start: number; end: number };

/**
 * A `<textarea>` that keeps what was typed, and where, before scripts arrived: React sets a filled one back to what the server
 * sent when it takes the page over (`initTextarea` of react-dom 19), and only this element.
 */
export function TextArea({ id, ...attributes }: Omit<ComponentProps<'textarea'>, 'id' | 'ref'> & { id: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const takenOver = !useHydrated();
  const [early] = useState<Early | null>(() => (takenOver ? readEarly(id) : null));
  useLayoutEffect(() => {
    if (box.current === null || early === null) return;
    if (box.current.value !== early.text) box.current.value = early.text;
    if (document.activeElement === box.current) box.current.setSelectionRange(early.start, early.end);
  }, [early]);
  return <textarea {...attributes} id={id} ref={box} />;
}

function readEarly(id: string): Early | null {
  if (typeof document === 'undefined') return null;
  const found = document.getElementById(id);
  if (!(found instanceof HTMLTextAreaElement)) return null;
  return { text: found.value, start: found.selectionStart, end: found.selectionEnd };
}
