import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { InputCondition } from '#app/domain/audit/rule-input.ts';

/** Digits behind the point of Cedar's decimals. */
const DIGITS = 4;

/** A field of an input: its value, undefined where it is not there, and of a number the whole number of its last digit. */
type Found = { value: CedarValueJson | undefined; decimal: bigint | null; whole: bigint | null };
/** A condition ready to be asked often. `isMet` null: not certain. */
type Asked = { path: readonly string[]; key: string; holds: boolean; isMet: (found: Found) => boolean | null };
/** The conditions on the input of a rule that has, of its input, no other words than the form's. */
export type Screen = readonly Asked[];

export function screenOf(conditions: readonly InputCondition[]): Screen {
  return conditions.map((condition) => {
    const { path, holds, comparison, guarded } = condition;
    const compare = comparing(condition);
    return {
      ...{ path, holds, key: JSON.stringify(path) },
      isMet(found) {
        if (comparison === 'given') return found.value !== undefined;
        // a field that its tool requires and that is not there is an error of the rule
        if (found.value === undefined) return guarded ? false : null;
        return compare(found);
      },
    };
  });
}

/**
 * Asks of rules whether they cannot apply to a record: a condition that must be met certainly is not, or one that must not be met certainly is.
 * False also where nobody can tell without Cedar, which then decides.
 */
export function screening(record: CedarValueJson): (screen: Screen) => boolean {
  const known = new Map<string, Found>();
  function foundAt({ key, path }: Asked): Found {
    const read = known.get(key) ?? readAt(record, path);
    known.set(key, read);
    return read;
  }
  return (screen) =>
    screen.some((asked) => {
      const met = asked.isMet(foundAt(asked));
      return met !== null && met !== asked.holds;
    });
}

function comparing({ kind, comparison, value }: InputCondition): Asked['isMet'] {
  if (kind === 'truth') return ({ value: found }) => (typeof found === 'boolean' ? found : null);
  if (kind === 'list')
    return ({ value: found }) => (Array.isArray(found) && found.every((item) => typeof item === 'string') ? found.includes(value) : null);
  if (kind === 'text')
    return ({ value: found }) => {
      if (typeof found !== 'string') return null;
      return comparison === 'is' ? found === value : comparison === 'begins' ? found.startsWith(value) : found.includes(value);
    };
  const right = kind === 'whole' ? BigInt(value) : scaled(value);
  return ({ whole, decimal }) => {
    const left = kind === 'whole' ? whole : decimal;
    if (left === null || right === null) return null;
    if (comparison === 'above') return left > right;
    if (comparison === 'atLeast') return left >= right;
    if (comparison === 'below') return left < right;
    return comparison === 'atMost' ? left <= right : left === right;
  };
}

function readAt(record: CedarValueJson, path: readonly string[]): Found {
  let value: CedarValueJson | undefined = record;
  for (const name of path) {
    const inside: unknown = value;
    value = isRecord(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined;
  }
  return { value, decimal: decimalOf(value), whole: typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null };
}

const isRecord = (value: unknown): value is { readonly [key: string]: CedarValueJson } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function decimalOf(value: CedarValueJson | undefined): bigint | null {
  if (!isRecord(value) || !('__extn' in value)) return null;
  const call: unknown = value.__extn;
  return isCall(call) && call.fn === 'decimal' ? scaled(call.arg) : null;
}

const isCall = (value: unknown): value is { fn: string; arg: string } =>
  typeof value === 'object' && value !== null && 'fn' in value && 'arg' in value && typeof value.arg === 'string';

/** A decimal's text as a whole number of its last digit. */
function scaled(text: string): bigint | null {
  const read = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text);
  if (read === null) return null;
  const [, sign = '', whole = '', fraction = ''] = read;
  return BigInt(`${sign}${whole}${fraction.padEnd(DIGITS, '0')}`);
}
