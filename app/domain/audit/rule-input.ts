/** Kinds of a field of an input that the form can compare; `list`: of texts. */
export const INPUT_KINDS = ['decimal', 'whole', 'text', 'truth', 'list'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

export const INPUT_COMPARISONS = ['above', 'atLeast', 'below', 'atMost', 'is', 'begins', 'contains', 'yes', 'given'] as const;
export type InputComparison = (typeof INPUT_COMPARISONS)[number];

const NUMBERS: readonly InputComparison[] = ['above', 'atLeast', 'below', 'atMost', 'is'];
/** The comparisons of each kind; any field may be asked whether it is given. */
export const COMPARISONS_OF: Readonly<Record<InputKind, readonly InputComparison[]>> = {
  decimal: NUMBERS,
  whole: NUMBERS,
  text: ['is', 'begins', 'contains'],
  truth: ['yes'],
  list: ['contains'],
};

/**
 * A condition on one field of the input of a rule's tool. `kind` is null where only its presence is asked. `guarded`: the tool may leave the
 * field out, and then the condition is not met. `value`: a text, a whole number or a decimal of up to four digits; else empty.
 */
export type InputCondition = {
  path: readonly string[];
  kind: InputKind | null;
  comparison: InputComparison;
  value: string;
  holds: boolean;
  guarded: boolean;
};

/** Whether a comparison compares with something that is typed. */
export const comparesWith = (comparison: InputComparison): boolean => comparison !== 'yes' && comparison !== 'given';

/** Largest whole part of a decimal in Cedar. */
const MAX_DECIMAL = 922_337_203_685_476;

/** A number as rules write it, without needless zeros; null: it is none, or more than a rule can compare. */
export function inputNumber(kind: 'decimal' | 'whole', typed: string): string | null {
  const read = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(typed.trim());
  if (read === null) return null;
  const [, sign = '', whole = '', fraction = ''] = read;
  if (fraction.length > (kind === 'whole' ? 0 : 4)) return null;
  if (Number(whole) > (kind === 'whole' ? Number.MAX_SAFE_INTEGER : MAX_DECIMAL)) return null;
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return text === '0' ? text : `${sign}${text}`;
}
