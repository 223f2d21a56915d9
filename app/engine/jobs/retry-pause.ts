const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** The last attempt comes some 20 hours after the first. */
export const DELIVERY_ATTEMPTS = 10;

/** Milliseconds until the next attempt after `attempts` have failed, four times as long each time; null: given up. */
export function retryPause(attempts: number): number | null {
  return attempts >= DELIVERY_ATTEMPTS ? null : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1));
}
