/** Pauses before each reconnection in ms; the last one repeats. */
const RECONNECT_MS = [1000, 2000, 5000, 10_000] as const;

/** The pause before the next attempt, after this many failures in a row. */
export function reconnectPause(failures: number): number {
  return RECONNECT_MS[Math.min(Math.max(failures, 0), RECONNECT_MS.length - 1)] ?? 10_000;
}
