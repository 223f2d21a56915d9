/** Steps between ticks that a person reads without reckoning, as multiples of a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10] as const;

/**
 * Ticks from 0 to the first round number at or above `highest`, some four steps apart. Counts (`whole`) never get a
 * tick between two of them.
 */
export function axisTicks(highest: number, whole = false): number[] {
  const goal = Math.max(highest, 0) / 4;
  const power = goal > 0 ? 10 ** Math.floor(Math.log10(goal)) : 1;
  const round = (ROUND.find((factor) => factor * power >= goal * (1 - 1e-9)) ?? 10) * power;
  const step = highest <= 0 ? 1 : whole ? Math.max(1, Math.ceil(round)) : round;
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  // Multiplied and rounded, so that no 0.30000000000000004 is written beside a line.
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** Picks the labels under the axis out of `count`: the last always, the others at even distances, at most `most`. */
export function shownLabels(count: number, most: number): Set<number> {
  const every = Math.max(1, Math.ceil(count / most));
  return new Set(Array.from({ length: Math.ceil(count / every) }, (_, at) => count - 1 - at * every));
}
