import { type ReactNode, useEffect } from 'react';

/** Draws a screen inside the shell of the app area. */
export type Frame = (screen: ReactNode) => ReactNode;

let kept: Frame | null = null;

/** Keeps the shell of the last page in this browser: a failed request loses its data, and the failure is shown inside the shell. */
export function useLastFrame(frame: Frame): void {
  useEffect(() => {
    kept = frame;
  }, [frame]);
}

/** The last complete shell, used where the error comes from the network or the server and says nothing about the person's rights. */
export function frameFor(error: { status: number } | null): Frame | null {
  return error === null || error.status >= 500 ? kept : null;
}
