import type { CedarValueJson, Context, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';

/** The answer where Cedar's cannot be foretold: an error, or words that are not read here. */
export const UNSURE = Symbol('unsure');

/** A value as Cedar sees it. A decimal is the whole number of its last digit; `Long` is a safe whole number. */
export type Value =
  | string
  | boolean
  | number
  | bigint
  | TypeAndIdRef
  | readonly CedarValueJson[]
  | { readonly [name: string]: CedarValueJson };
type TypeAndIdRef = { readonly __entity: TypeAndId };
export type Foretold = Value | typeof UNSURE;

/** One question to Cedar: what it is about, and what is known of these. */
export type World = {
  principal: TypeAndId;
  action: TypeAndId;
  resource: TypeAndId;
  context: Context;
  entities: ReadonlyMap<string, EntityJson>;
  /** Attributes that a rule has asked for, by their path: others ask for the same. */
  read: Map<string, Foretold>;
};

export const uidOf = (entity: EntityJson['uid']): TypeAndId => ('__entity' in entity ? entity.__entity : entity);
const keyOf = ({ type, id }: TypeAndId) => `${type}::${id}`;

export function worldOf(call: Pick<World, 'principal' | 'action' | 'resource' | 'context'> & { entities: readonly EntityJson[] }): World {
  return { ...call, entities: new Map(call.entities.map((entity) => [keyOf(uidOf(entity.uid)), entity])), read: new Map() };
}

/** Digits behind the point of Cedar's decimals. */
const DIGITS = 4;

/** A decimal's text as a whole number of its last digit; null: Cedar reads it as none, or as one that is not compared here. */
export function scaled(text: string): bigint | null {
  const read = /^(-?)(\d{1,15})\.(\d{1,4})$/.exec(text);
  if (read === null) return null;
  const [, sign = '', whole = '', fraction = ''] = read;
  const value = BigInt(`${sign}${whole}${fraction.padEnd(DIGITS, '0')}`);
  return value === BigInt.asIntN(64, value) ? value : null;
}

/** A value of a request or of a rule's text. */
export function asValue(json: CedarValueJson): Foretold {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json : UNSURE;
  if (typeof json !== 'object') return json;
  if (json === null) return UNSURE;
  if (Array.isArray(json) || !('__extn' in json)) return json;
  const call: unknown = json.__extn;
  if (typeof call !== 'object' || call === null || !('fn' in call) || call.fn !== 'decimal') return UNSURE;
  if (!('arg' in call) || typeof call.arg !== 'string') return UNSURE;
  return scaled(call.arg) ?? UNSURE;
}

export function entityOf(value: Foretold): TypeAndId | null {
  return typeof value === 'object' && '__entity' in value && isUid(value.__entity) ? value.__entity : null;
}

const isUid = (value: unknown): value is TypeAndId =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'id' in value;

/** The attributes of a record or an entity; null: it has none, or nothing is known of it. */
export function attributesOf(value: Foretold, world: World): { readonly [name: string]: CedarValueJson } | null {
  if (typeof value !== 'object' || Array.isArray(value)) return null;
  const entity = entityOf(value);
  if (entity !== null) return world.entities.get(keyOf(entity))?.attrs ?? null;
  return '__entity' in value ? null : (value as { readonly [name: string]: CedarValueJson });
}

/** Whether an entity is another or lies in it. The hierarchy of a request is one level deep. */
export function liesIn(entity: TypeAndId, of: TypeAndId, world: World): boolean {
  const same = (one: TypeAndId) => one.type === of.type && one.id === of.id;
  return same(entity) || (world.entities.get(keyOf(entity))?.parents.some((parent) => same(uidOf(parent))) ?? false);
}

export function equal(left: Foretold, right: Foretold): boolean | typeof UNSURE {
  if (left === UNSURE || right === UNSURE) return UNSURE;
  if (typeof left !== 'object' || typeof right !== 'object') return left === right;
  const [one, other] = [entityOf(left), entityOf(right)];
  return one === null || other === null ? UNSURE : one.type === other.type && one.id === other.id;
}

/** Whether a set holds a value. */
export function holds(set: Foretold, value: Foretold): boolean | typeof UNSURE {
  if (!Array.isArray(set) || value === UNSURE) return UNSURE;
  const found = set.map((item: CedarValueJson) => equal(asValue(item), value));
  return found.includes(UNSURE) ? UNSURE : found.includes(true);
}
