/** Units of a wait, in seconds. */
export const WAIT_UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type WaitUnit = keyof typeof WAIT_UNITS;

/** Seconds in the largest unit that gives a whole number. */
export function spanOf(seconds: number): { amount: number; unit: WaitUnit } {
  for (const [unit, length] of Object.entries(WAIT_UNITS) as [WaitUnit, number][])
    if (seconds % length === 0) return { amount: seconds / length, unit };
  return { amount: seconds, unit: 'seconds' };
}
