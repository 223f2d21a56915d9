import { useEffect } from 'react';

let drawnByServer: string | null = null;

/**
 * Keeps jumps within a page from the router until the page has come to life. To the router a jump is a navigation, which drops what the page
 * answered to a form; React would then find other HTML than it expects, and draw the page again without the errors. The browser has made the jump
 * by then. Call it before the router begins to listen.
 */
export function holdEarlyJumps(): void {
  drawnByServer = pageOf(window.location);
  window.addEventListener('popstate', hold, { capture: true });
}

/** Gives jumps back to the router once the whole page is alive. */
export function useEarlyJumpsOver(): void {
  useEffect(() => window.removeEventListener('popstate', hold, { capture: true }), []);
}

function hold(event: PopStateEvent): void {
  if (pageOf(window.location) === drawnByServer) event.stopImmediatePropagation();
}

function pageOf({ pathname, search }: Location): string {
  return `${pathname}${search}`;
}
