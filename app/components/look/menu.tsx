import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** A button that opens a small panel below it. Works without scripts; with them it closes on Escape, outside and on leaving. */
export function Menu({
  label,
  summary,
  children,
  align = 'end',
}: {
  label: string;
  summary: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  const box = useRef<HTMLDetailsElement>(null);
  useClosedOnLeaving(box);
  useEffect(() => {
    const close = (event: Event) => {
      const details = box.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.open = false;
        details.querySelector('summary')?.focus();
      } else if (event.target instanceof Node && !details.contains(event.target)) {
        details.open = false;
      }
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, []);
  return (
    <details ref={box} className="group relative">
      <summary className="flex min-h-9 list-none items-center gap-2 rounded-md px-2 text-sm text-ink hover:bg-raised group-open:bg-raised">
        <span className="sr-only">{label}</span>
        {summary}
      </summary>
      <div
        className={`absolute top-full z-20 mt-1 max-h-[calc(100dvh-5rem)] w-64 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-line bg-surface p-2 shadow-float ${align === 'end' ? 'end-0' : 'start-0'}`}
      >
        {children}
      </div>
    </details>
  );
}

/** Closes the panel when something in it was followed; one that was opened before scripts arrived stays open. */
export function useClosedOnLeaving(box: RefObject<HTMLDetailsElement | null>) {
  const { key } = useLocation();
  const seen = useRef(key);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    if (box.current) box.current.open = false;
  }, [key, box]);
}
