/** Waits before connecting anew, in ms; then always the last (product-spec section 9). */
const RECONNECT_MS = [1000, 2000, 5000, 10_000] as const;

/** How long to wait before the next attempt, after so many that failed one after another. */
export function reconnectPause(failures: number): number {
  return RECONNECT_MS[Math.min(Math.max(failures, 0), RECONNECT_MS.length - 1)] ?? 10_000;
}
