import { startTransition, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Data that follows events, held back so that nothing moves under the hand: while the pointer or the focus is in `area`, or where there
 * is no pointer that could be seen coming, the data stay as they were. `waiting`: there are newer ones; `show` draws them. Data
 * that a navigation has brought is drawn at once.
 */
export function useHeld<T>(latest: T, area: { readonly current: HTMLElement | null }): { drawn: T; waiting: boolean; show(): void } {
  const { key } = useLocation();
  const [held, setHeld] = useState({ key, data: latest });
  if (held.key !== key) setHeld({ key, data: latest });
  const waiting = held.key === key && held.data !== latest;
  const drawn = held.key === key ? held.data : latest;
  useEffect(() => {
    if (!waiting) return;
    const take = () => startTransition(() => setHeld({ key, data: latest }));
    const takeIfFree = () => {
      if (!isInUse(area.current)) take();
    };
    takeIfFree();
    const element = area.current;
    // The focus is nowhere while it moves: where it goes is known a moment later.
    const soon = () => setTimeout(takeIfFree);
    element?.addEventListener('pointerleave', takeIfFree);
    element?.addEventListener('focusout', soon);
    return () => {
      element?.removeEventListener('pointerleave', takeIfFree);
      element?.removeEventListener('focusout', soon);
    };
  }, [waiting, latest, key, area]);
  return { drawn, waiting, show: () => setHeld({ key, data: latest }) };
}

function isInUse(area: HTMLElement | null): boolean {
  if (area === null) return false;
  return area.matches(':hover') || area.contains(document.activeElement) || !window.matchMedia('(hover: hover)').matches;
}
