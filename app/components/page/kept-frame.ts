import { type ReactNode, useEffect } from 'react';

/** Draws a screen inside the shell of the app area. */
export type Frame = (screen: ReactNode) => ReactNode;

let kept: Frame | null = null;

/** Keeps the shell of this page, in this browser: a request that fails takes its data away, and what failed is shown inside it. */
export function useKeptFrame(frame: Frame): void {
  useEffect(() => {
    kept = frame;
  }, [frame]);
}

/** The last shell that was whole, where an error is one of the line or the server and says nothing of what the person may see. */
export function frameFor(error: { status: number } | null): Frame | null {
  return error === null || error.status >= 500 ? kept : null;
}
