import type { Json } from '#app/contracts/json.ts';
import type { InputKind } from '#app/domain/audit/rule-input.ts';
import { type InputType, readToolInput } from '#app/engine/policy/inputs/input-type.ts';

/** The bounds that a tool's schema sets for the values of a field; a rule compares whatever arrives. */
export type FieldBounds = { least: number | null; most: number | null; longest: number | null; values: readonly string[] };
/** A field of a tool's input that the form of a rule can compare. `optional`: it may be missing, or lies in something that may. */
export type ToolField = { path: readonly string[]; kind: InputKind; optional: boolean; bounds: FieldBounds };

const MOST_VALUES = 8;
const LONGEST_VALUE = 40;

/** The fields of a pinned input schema in its order, without those that no form can compare. */
export function toolFields(schema: Json | null): ToolField[] {
  const found: ToolField[] = [];
  function visit(type: InputType & { kind: 'record' }, given: Json | undefined, above: readonly string[], mayMiss: boolean): void {
    for (const [name, field] of type.fields) {
      const path = [...above, name];
      const said = memberOf(memberOf(given, 'properties'), name);
      const optional = mayMiss || !field.required;
      if (field.type.kind === 'record') visit(field.type, said, path, optional);
      else if (field.type.kind !== 'list') found.push({ path, kind: field.type.kind, optional, bounds: boundsOf(said) });
      else if (field.type.of.kind === 'text') found.push({ path, kind: 'list', optional, bounds: boundsOf(memberOf(said, 'items')) });
    }
  }
  visit(readToolInput(schema).type, schema ?? undefined, [], false);
  return found;
}

function boundsOf(given: Json | undefined): FieldBounds {
  const numberOf = (key: string) => {
    const value = memberOf(given, key);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const values = memberOf(given, 'enum');
  const words = Array.isArray(values) ? values.filter((one) => typeof one === 'string' && one.length <= LONGEST_VALUE) : [];
  return {
    least: numberOf('minimum'),
    most: numberOf('maximum'),
    longest: numberOf('maxLength'),
    values: words.filter((one) => typeof one === 'string').slice(0, MOST_VALUES),
  };
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
