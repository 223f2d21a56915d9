/** Deeper than anything that is meant; what reads a value level by level (schemas, digests) would run out of stack far below. */
const MOST_LEVELS = 100;

/** Whether a value of JSON holds more than MOST_LEVELS levels. Itself it needs no stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
