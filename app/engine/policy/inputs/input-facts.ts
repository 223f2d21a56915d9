import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Json } from '#app/contracts/json.ts';
import { personalDataKinds } from '#app/engine/personal-data/find-personal-data.ts';
import type { InputType, ToolInput } from '#app/engine/policy/inputs/input-type.ts';

/** The parts of an input that the rules of its tool compare, as Cedar takes them, and the fields that they ask for. */
export type InputFacts = { record: CedarValueJson; paths: readonly (readonly string[])[] };

/** Cedar's own bounds of numbers, and ours of texts and lists. */
const MAX_TEXT = 4_096;
const MAX_ITEMS = 1_000;
const MAX_DECIMAL = 922_337_203_685_477;

/** @throws InputUnfit where a field is not as the tool's schema says: then nobody can tell what a rule would say. */
export class InputUnfit extends Error {}

/** Only what the paths name leaves the input; a path that ends at a record takes all of it. */
export function inputFacts(tool: ToolInput, input: { readonly [key: string]: Json }, paths: readonly (readonly string[])[]): InputFacts {
  return { record: pick(tool.type, input, paths, ''), paths };
}

function pick(type: InputType & { kind: 'record' }, value: Json, paths: readonly (readonly string[])[], at: string): CedarValueJson {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InputUnfit(at);
  const all = paths.some((path) => path.length === 0);
  const record: { [key: string]: CedarValueJson } = {};
  for (const [name, field] of type.fields) {
    const inside = paths.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (!all && inside.length === 0) continue;
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    const place = `${at}/${name}`;
    if (found === undefined || found === null) {
      if (field.required) throw new InputUnfit(place);
      continue;
    }
    record[name] = field.type.kind === 'record' ? pick(field.type, found, all ? [[]] : inside, place) : convert(field.type, found, place);
  }
  return record;
}

function convert(type: Exclude<InputType, { kind: 'record' }>, value: Json, at: string): CedarValueJson {
  if (type.kind === 'list') {
    if (!Array.isArray(value) || value.length > MAX_ITEMS) throw new InputUnfit(at);
    return value.map((item) => convert(type.of, item, at));
  }
  if (type.kind === 'text' && typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed()) return value;
  if (type.kind === 'truth' && typeof value === 'boolean') return value;
  if (type.kind === 'whole' && typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const written = type.kind === 'decimal' && typeof value === 'number' ? decimalText(value) : null;
  if (written === null) throw new InputUnfit(at);
  return { __extn: { fn: 'decimal', arg: written } };
}

/** A number as Cedar writes decimals, with one to four digits behind the point; null: it has more, or is too large. */
export function decimalText(value: number): string | null {
  const text = String(value === 0 ? 0 : value);
  if (!/^-?\d+(?:\.\d{1,4})?$/.test(text) || Math.abs(value) > MAX_DECIMAL) return null;
  return text.includes('.') ? text : `${text}.0`;
}

/** The facts of an input as a decision keeps them: what is personal data is named and left out. */
export type KeptInput = { action: string; record: Json; paths: string[][]; withheld: string[][] };

export function keptInput(action: string, { record, paths }: InputFacts): KeptInput {
  const withheld: string[][] = [];
  function keep(value: CedarValueJson, path: string[]): Json | undefined {
    if (typeof value === 'string' || typeof value === 'number' || Array.isArray(value)) {
      if (personalDataKinds({ value: asText(value) }).length === 0) return value as Json;
      withheld.push(path);
      return undefined;
    }
    if (typeof value !== 'object' || value === null || '__extn' in value) return value as Json;
    const kept = Object.entries(value).map(([name, inner]) => [name, keep(inner, [...path, name])] as const);
    return Object.fromEntries(kept.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
  }
  return { action, record: keep(record, []) ?? {}, paths: paths.map((path) => [...path]), withheld };
}

const asText = (value: CedarValueJson): Json => (Array.isArray(value) ? value.map(asText) : String(value));

/** The facts of then for rules that ask for `paths`; null: one of these was not kept. */
export function factsFromKept(kept: KeptInput, paths: readonly (readonly string[])[]): InputFacts | null {
  const within = (path: readonly string[], of: readonly string[]) => of.every((name, index) => path[index] === name);
  const known = paths.every((path) => kept.paths.some((one) => within(path, one)));
  const hidden = paths.some((path) => kept.withheld.some((one) => within(path, one) || within(one, path)));
  return known && !hidden ? { record: kept.record as CedarValueJson, paths } : null;
}
