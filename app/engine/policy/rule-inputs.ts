import { type InputComparison, type InputCondition, inputNumber } from '#app/domain/audit/rule-input.ts';
import { quoted } from '#app/engine/policy/cedar-string.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that Cedar keeps for itself. */
const RESERVED = new Set(['true', 'false', 'if', 'then', 'else', 'in', 'is', 'like', 'has', '__cedar']);
const isPlain = (name: string) => IDENTIFIER.test(name) && !RESERVED.has(name);

const METHODS = { above: 'greaterThan', atLeast: 'greaterThanOrEqual', below: 'lessThan', atMost: 'lessThanOrEqual' } as const;
const SIGNS = { above: '>', atLeast: '>=', below: '<', atMost: '<=', is: '==' } as const;
type Ordered = keyof typeof METHODS;
const ORDERED: readonly Ordered[] = ['above', 'atLeast', 'below', 'atMost'];
const isOrdered = (comparison: InputComparison): comparison is Ordered => ORDERED.some((one) => one === comparison);

/** The Cedar expression of a condition on the input, without its negation. */
export function inputText(condition: InputCondition): string {
  const { path, comparison, guarded } = condition;
  if (comparison === 'given') return presence(path);
  const compared = comparisonText(condition);
  return guarded ? `(${presence(path)} && ${compared})` : compared;
}

function comparisonText({ path, kind, comparison, value }: InputCondition): string {
  const subject = subjectOf(path);
  if (kind === 'truth') return subject;
  if (kind === 'list') return `${subject}.contains(${quoted(value)})`;
  if (kind === 'decimal') {
    const amount = `decimal(${quoted(value.includes('.') ? value : `${value}.0`)})`;
    return isOrdered(comparison) ? `${subject}.${METHODS[comparison]}(${amount})` : `${subject} == ${amount}`;
  }
  if (kind === 'whole') return `${subject} ${comparison in SIGNS ? SIGNS[comparison as keyof typeof SIGNS] : '=='} ${value}`;
  if (comparison === 'is') return `${subject} == ${quoted(value)}`;
  const pattern = quoted(value).slice(1, -1).replaceAll('*', '\\*');
  return `${subject} like "${comparison === 'begins' ? '' : '*'}${pattern}*"`;
}

function subjectOf(path: readonly string[]): string {
  return `context.input${path.map((name) => (isPlain(name) ? `.${name}` : `[${quoted(name)}]`)).join('')}`;
}

/** That a field is there, and all that it lies in. */
function presence(path: readonly string[]): string {
  if (path.every(isPlain)) return `context.input has ${path.join('.')}`;
  const levels = path.map((name, depth) => `${subjectOf(path.slice(0, depth))} has ${isPlain(name) ? name : quoted(name)}`);
  return levels.length === 1 ? (levels[0] ?? '') : `(${levels.join(' && ')})`;
}

type Json = { readonly [operator: string]: unknown };
const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A condition on the input as Cedar reads it; null: the form has no words for it. */
export function readInput(node: unknown): InputCondition | null {
  const there = presentPath(node);
  if (there !== null) return { path: there, kind: null, comparison: 'given', value: '', holds: true, guarded: false };
  if (!isNode(node)) return null;
  if (isNode(node['&&'])) {
    const [path, inner] = [presentPath(node['&&'].left), readComparison(node['&&'].right)];
    return path !== null && inner !== null ? guard(path, inner) : null;
  }
  return readComparison(node);
}

/** Of conditions in a row: that a field is there, and then what it is, are one. */
export function joinGuards(left: readonly InputCondition[], right: readonly InputCondition[]): InputCondition[] {
  const [given, next] = [left.at(-1), right[0]];
  if (given?.comparison !== 'given' || !given.holds || next === undefined || next.guarded) return [...left, ...right];
  const joined = guard(given.path, next);
  return joined === null ? [...left, ...right] : [...left.slice(0, -1), joined, ...right.slice(1)];
}

function guard(path: readonly string[], inner: InputCondition): InputCondition | null {
  const same = path.length === inner.path.length && path.every((name, index) => name === inner.path[index]);
  // not to be what is there is another condition than not to be there
  return same && inner.holds && inner.comparison !== 'given' ? { ...inner, guarded: true } : null;
}

function presentPath(node: unknown): string[] | null {
  if (!isNode(node)) return null;
  if (isNode(node['&&'])) {
    const [above, below] = [presentPath(node['&&'].left), presentPath(node['&&'].right)];
    const goesOn = above !== null && below !== null && below.length === above.length + 1 && above.every((name, at) => name === below[at]);
    return goesOn ? below : null;
  }
  if (!isNode(node.has)) return null;
  const above = inputPath(node.has.left);
  const names = (Array.isArray(node.has.attr) ? node.has.attr : [node.has.attr]).map(String);
  return above === null ? null : [...above, ...names];
}

/** The names behind `context.input`. */
function inputPath(node: unknown): string[] | null {
  if (!isNode(node) || !isNode(node['.'])) return null;
  const { left, attr } = node['.'];
  if (isNode(left) && left.Var === 'context') return attr === 'input' ? [] : null;
  const above = inputPath(left);
  return above === null ? null : [...above, String(attr)];
}

function readComparison(node: unknown): InputCondition | null {
  const path = inputPath(node);
  const base = { holds: true, guarded: false };
  if (path !== null) return path.length === 0 ? null : { ...base, path, kind: 'truth', comparison: 'yes', value: '' };
  if (!isNode(node)) return null;
  const [entry] = Object.entries(node);
  if (entry === undefined) return null;
  const [operator, operand] = entry;
  const [left, right] = Array.isArray(operand) ? operand : isNode(operand) ? [operand.left, operand.right ?? operand.pattern] : [];
  const of = inputPath(left);
  if (of === null || of.length === 0) return null;
  const method = ORDERED.find((one) => METHODS[one] === operator);
  const sign = (Object.keys(SIGNS) as (keyof typeof SIGNS)[]).find((one) => SIGNS[one] === (operator === '!=' ? '==' : operator));
  const amount = decimalOf(right);
  const holds = operator !== '!=';
  if (amount !== null)
    return method === undefined && sign !== 'is'
      ? null
      : { ...base, path: of, kind: 'decimal', comparison: method ?? 'is', value: amount, holds };
  if (operator === 'like') return readPattern(of, right);
  const value = isNode(right) && 'Value' in right ? right.Value : undefined;
  if (typeof value === 'number' && sign !== undefined && Number.isSafeInteger(value))
    return { ...base, path: of, kind: 'whole', comparison: sign, value: String(value), holds };
  if (!isTyped(value)) return null;
  if (operator === 'contains') return { ...base, path: of, kind: 'list', comparison: 'contains', value };
  return sign === 'is' ? { ...base, path: of, kind: 'text', comparison: 'is', value, holds } : null;
}

/** `text*` and `*text*`. */
function readPattern(path: string[], pattern: unknown): InputCondition | null {
  if (!Array.isArray(pattern) || pattern.at(-1) !== 'Wildcard') return null;
  const inside = pattern[0] === 'Wildcard';
  const letters = pattern
    .slice(inside ? 1 : 0, -1)
    .map((one: unknown) => (isNode(one) && typeof one.Literal === 'string' ? one.Literal : null));
  const value = letters.join('');
  if (letters.includes(null) || !isTyped(value)) return null;
  return { path, kind: 'text', comparison: inside ? 'contains' : 'begins', value, holds: true, guarded: false };
}

function decimalOf(node: unknown): string | null {
  if (!isNode(node) || !Array.isArray(node.decimal)) return null;
  const [text] = node.decimal as unknown[];
  return isNode(text) && typeof text.Value === 'string' && text.Value.includes('.') ? inputNumber('decimal', text.Value) : null;
}

/** True for values that the form field can show and give back unchanged. */
function isTyped(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value === value.trim() && value.length <= 200 && !/\p{Cc}/u.test(value);
}
