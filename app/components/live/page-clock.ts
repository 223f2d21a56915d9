/** The moment that relative times are measured to: the page's own, plus the time since, in steps. */

const STEP_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let steppedAt = 0;
let page = { now: '', at: 0 };

function step() {
  if (document.hidden) return;
  steppedAt = performance.now();
  for (const listener of listeners) listener();
}

/** One timer for all times on a page, and none where there are no times. */
export function subscribeToPageClock(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(step, STEP_MS);
    document.addEventListener('visibilitychange', step);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', step);
  };
}

/**
 * Milliseconds since the page was made, the same between two steps. Measured by the time that passes here and not by the browser's date,
 * which may be wrong. `now`: the page's own moment; with another one it begins again.
 */
export function passedSince(now: string): number {
  if (page.now !== now) page = { now, at: performance.now() };
  return Math.max(0, steppedAt - page.at);
}
