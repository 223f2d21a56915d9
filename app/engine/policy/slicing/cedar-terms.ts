import type { CedarValueJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import {
  asValue,
  attributesOf,
  entityOf,
  equal,
  type Foretold,
  holds,
  liesIn,
  scaled,
  UNSURE,
  type World,
} from '#app/engine/policy/slicing/cedar-values.ts';

/** An expression of a rule, ready to be asked often. It answers as Cedar does, in Cedar's order, or that it cannot tell. */
export type Term = (world: World) => Foretold;

type Node = { readonly [operator: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const unsure: Term = () => UNSURE;

/** Reads an expression of Cedar's JSON form. What it has no words for is never certain: arithmetic, clocks, addresses, records. */
export function readTerm(body: unknown): Term {
  if (!isNode(body)) return unsure;
  const [entry] = Object.entries(body);
  if (entry === undefined) return unsure;
  const [operator, operand] = entry;
  if (operator === 'Value') return constant(asValue(operand as CedarValueJson));
  if (operator === 'Var') return variable(operand);
  if (Array.isArray(operand)) return listed(operator, operand);
  if (!isNode(operand)) return unsure;
  if (operator === 'if-then-else') return choice(readTerm(operand.if), readTerm(operand.then), readTerm(operand.else));
  if (operator === '!' || operator === 'isEmpty') return unary(operator, readTerm(operand.arg));
  const left = readTerm(operand.left);
  if (operator === '.') return typeof operand.attr === 'string' ? attribute(left, operand.attr, pathOf(body)) : unsure;
  if (operator === 'has') return presence(left, Array.isArray(operand.attr) ? operand.attr.map(String) : [String(operand.attr)]);
  if (operator === 'like') return like(left, operand.pattern);
  if (operator === 'is') return 'in' in operand ? unsure : (world) => isOf(left(world), String(operand.entity_type));
  return binary(operator, left, readTerm(operand.right));
}

const constant =
  (value: Foretold): Term =>
  () =>
    value;

function variable(name: unknown): Term {
  if (name === 'context') return ({ context }) => context;
  if (name !== 'principal' && name !== 'action' && name !== 'resource') return unsure;
  return (world) => ({ __entity: world[name] });
}

/** Sets, and the functions of decimals. */
function listed(operator: string, operands: readonly unknown[]): Term {
  const [first, second] = operands;
  if (operator === 'Set') {
    const items = operands.map((one) => (isNode(one) && 'Value' in one ? (one.Value as CedarValueJson) : undefined));
    return items.includes(undefined) ? unsure : constant(items as CedarValueJson[]);
  }
  if (operator === 'decimal') return isNode(first) && typeof first.Value === 'string' ? constant(scaled(first.Value) ?? UNSURE) : unsure;
  const compare = DECIMALS[operator];
  if (compare === undefined) return unsure;
  const [left, right] = [readTerm(first), readTerm(second)];
  return (world) => {
    const [one, other] = [left(world), right(world)];
    return typeof one === 'bigint' && typeof other === 'bigint' ? compare(one, other) : UNSURE;
  };
}

const DECIMALS: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  lessThan: (left, right) => left < right,
  lessThanOrEqual: (left, right) => left <= right,
  greaterThan: (left, right) => left > right,
  greaterThanOrEqual: (left, right) => left >= right,
};

const LONGS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** The second is not asked where the first settles it: there an error of the second is none. */
function choice(test: Term, then: Term, otherwise: Term): Term {
  return (world) => {
    const met = test(world);
    return met === true ? then(world) : met === false ? otherwise(world) : UNSURE;
  };
}

const truth =
  (term: Term): Term =>
  (world) => {
    const value = term(world);
    return typeof value === 'boolean' ? value : UNSURE;
  };

function unary(operator: string, arg: Term): Term {
  return (world) => {
    const value = arg(world);
    if (operator === '!') return typeof value === 'boolean' ? !value : UNSURE;
    return Array.isArray(value) ? value.length === 0 : UNSURE;
  };
}

function attribute(of: Term, name: string, path: string | null): Term {
  const read: Term = (world) => {
    const found = attributesOf(of(world), world);
    return found !== null && Object.hasOwn(found, name) ? asValue(found[name] ?? null) : UNSURE;
  };
  if (path === null) return read;
  return (world) => {
    const known = world.read.get(path);
    if (known !== undefined) return known;
    const value = read(world);
    world.read.set(path, value);
    return value;
  };
}

/** A text that is the same for the same way from a variable, and for no other; null: it begins elsewhere. */
function pathOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (typeof node.Var === 'string') return node.Var;
  const inner = node['.'];
  const above = isNode(inner) ? pathOf(inner.left) : null;
  return above === null || !isNode(inner) ? null : `${above} ${JSON.stringify(inner.attr)}`;
}

function presence(of: Term, names: readonly string[]): Term {
  return (world) => {
    let value = of(world);
    for (const name of names) {
      const found = attributesOf(value, world);
      if (found === null) return UNSURE;
      if (!Object.hasOwn(found, name)) return false;
      value = asValue(found[name] ?? null);
    }
    return true;
  };
}

function like(of: Term, pattern: unknown): Term {
  const parts = (Array.isArray(pattern) ? pattern : [null]).map((part: unknown) =>
    part === 'Wildcard' ? null : isNode(part) && typeof part.Literal === 'string' ? part.Literal : undefined,
  );
  if (!Array.isArray(pattern) || parts.includes(undefined)) return unsure;
  // what lies between wildcards, each found as early as it can be
  const pieces = [''];
  for (const part of parts) {
    if (part === null) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${part ?? ''}`);
  }
  return (world) => {
    const text = of(world);
    return typeof text === 'string' ? matches(text, pieces) : UNSURE;
  };
}

function matches(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function isOf(value: Foretold, type: string): Foretold {
  const entity = entityOf(value);
  return entity === null ? UNSURE : entity.type === type;
}

function binary(operator: string, left: Term, right: Term): Term {
  if (operator === '&&') return choice(left, truth(right), constant(false));
  if (operator === '||') return choice(left, constant(true), truth(right));
  if (operator === '==') return (world) => equal(left(world), right(world));
  if (operator === '!=')
    return (world) => {
      const same = equal(left(world), right(world));
      return same === UNSURE ? UNSURE : !same;
    };
  if (operator === 'in') return (world) => isIn(left(world), right(world), world);
  if (operator === 'contains') return (world) => holds(left(world), right(world));
  if (operator === 'containsAll' || operator === 'containsAny') return (world) => holdsOf(operator, left(world), right(world));
  const compare = LONGS[operator];
  if (compare === undefined) return unsure;
  return (world) => {
    const [one, other] = [left(world), right(world)];
    return typeof one === 'number' && typeof other === 'number' ? compare(one, other) : UNSURE;
  };
}

function isIn(value: Foretold, of: Foretold, world: World): Foretold {
  const entity = entityOf(value);
  const groups = Array.isArray(of) ? of.map((one: CedarValueJson) => entityOf(asValue(one))) : [entityOf(of)];
  if (entity === null || groups.includes(null)) return UNSURE;
  return groups.some((group: TypeAndId | null) => group !== null && liesIn(entity, group, world));
}

function holdsOf(operator: 'containsAll' | 'containsAny', set: Foretold, asked: Foretold): Foretold {
  if (!Array.isArray(set) || !Array.isArray(asked)) return UNSURE;
  const found = asked.map((one: CedarValueJson) => holds(set, asValue(one)));
  if (found.includes(UNSURE)) return UNSURE;
  return operator === 'containsAll' ? !found.includes(false) : found.includes(true);
}
