/**
 * What conditions leave open of one fact: of a number an interval of whole numbers of its last digit, of a text what it is, begins with and
 * contains, of a list what is in it, of a truth value itself. Only what is certain is said: `isEmpty` false does not promise a value.
 */
export type ValueRange = {
  least: bigint | null;
  most: bigint | null;
  notPoints: ReadonlySet<bigint>;
  is: string | null;
  notIs: ReadonlySet<string>;
  begins: readonly string[];
  notBegins: readonly string[];
  holds: readonly string[];
  notHolds: readonly string[];
  truth: boolean | null;
  /** All values that a text can have; null: any. */
  of: readonly string[] | null;
  /** Two conditions that exclude each other. */
  clash: boolean;
};

/** One comparison of a fact. `member`: of a list. */
export type Compared =
  | { as: 'number'; sign: 'above' | 'atLeast' | 'below' | 'atMost' | 'is'; value: bigint }
  | { as: 'text'; sign: 'is' | 'begins' | 'contains'; value: string }
  | { as: 'list'; value: string }
  | { as: 'truth' };

export const anyValue = (of: readonly string[] | null = null): ValueRange => ({
  ...{ least: null, most: null, notPoints: new Set(), is: null, notIs: new Set(), begins: [], notBegins: [] },
  ...{ holds: [], notHolds: [], truth: null, of, clash: false },
});

const ONE = BigInt(1);
const NEGATED = { above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above' } as const;

/** The range with one condition more; `met` false: its negation. */
export function narrowed(range: ValueRange, compared: Compared, met: boolean): ValueRange {
  if (compared.as === 'truth') return { ...range, truth: met, clash: range.clash || range.truth === !met };
  if (compared.as === 'list')
    return met ? { ...range, holds: [...range.holds, compared.value] } : { ...range, notHolds: [...range.notHolds, compared.value] };
  if (compared.as === 'number') return narrowedNumber(range, compared.sign, compared.value, met);
  const { sign, value } = compared;
  if (sign === 'is' && met) return { ...range, is: value, clash: range.clash || (range.is !== null && range.is !== value) };
  if (sign === 'is') return settled({ ...range, notIs: new Set([...range.notIs, value]) });
  if (sign === 'begins') return met ? { ...range, begins: [...range.begins, value] } : { ...range, notBegins: [...range.notBegins, value] };
  return met ? { ...range, holds: [...range.holds, value] } : { ...range, notHolds: [...range.notHolds, value] };
}

function narrowedNumber(range: ValueRange, sign: 'above' | 'atLeast' | 'below' | 'atMost' | 'is', value: bigint, met: boolean): ValueRange {
  if (sign === 'is') {
    if (!met) return { ...range, notPoints: new Set([...range.notPoints, value]) };
    return narrowedNumber(narrowedNumber(range, 'atLeast', value, true), 'atMost', value, true);
  }
  const meant = met ? sign : NEGATED[sign];
  if (meant === 'above' || meant === 'atLeast') {
    const least = meant === 'above' ? value + ONE : value;
    return range.least !== null && range.least >= least ? range : { ...range, least };
  }
  const most = meant === 'below' ? value - ONE : value;
  return range.most !== null && range.most <= most ? range : { ...range, most };
}

/** Of a closed list of values the last that is left is what it is. */
function settled(range: ValueRange): ValueRange {
  const left = range.of?.filter((one) => !range.notIs.has(one)) ?? null;
  const [only] = left ?? [];
  return left?.length === 1 && only !== undefined && range.is === null ? { ...range, is: only } : range;
}

/** True: no value meets all conditions. */
export function isEmpty(range: ValueRange): boolean {
  const { least, most, notPoints, is, notIs, begins, notBegins, holds, notHolds, of, clash } = range;
  if (clash) return true;
  if (least !== null && most !== null && isCovered(least, most, notPoints)) return true;
  if (of?.every((one) => notIs.has(one))) return true;
  if (is !== null) {
    if (notIs.has(is) || (of !== null && !of.includes(is))) return true;
    if (!begins.every((one) => is.startsWith(one)) || notBegins.some((one) => is.startsWith(one))) return true;
    // of a list nothing is said by `is`
    if (!holds.every((one) => is.includes(one)) || notHolds.some((one) => is.includes(one))) return true;
  }
  if (begins.some((one) => begins.some((other) => !one.startsWith(other) && !other.startsWith(one)))) return true;
  if (begins.some((one) => notBegins.some((other) => one.startsWith(other)))) return true;
  return holds.some((one) => notHolds.includes(one));
}

function isCovered(least: bigint, most: bigint, points: ReadonlySet<bigint>): boolean {
  if (most - least >= BigInt(points.size)) return false;
  for (let value = least; value <= most; value += ONE) if (!points.has(value)) return false;
  return true;
}

/** True: every value that meets the conditions also meets this one, or with `met` false its negation. */
export function entails(range: ValueRange, compared: Compared, met: boolean): boolean {
  if (isEmpty(range)) return true;
  if (compared.as === 'truth') return range.truth === met;
  // what excludes the opposite leaves only this
  return isEmpty(narrowed(range, compared, !met));
}
