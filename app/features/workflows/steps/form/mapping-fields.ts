import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';

/** One input of a tool as the form shows it, with what hides in its words spelled out; `free`: the name is typed too. */
export type MappingField = {
  name: string;
  title: string;
  description: string;
  type: string;
  required: boolean;
  value: string;
  free: boolean;
};

const free = (name: string, value: string): MappingField => ({
  name,
  title: name,
  description: '',
  type: 'any',
  required: false,
  value,
  free: true,
});

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && value !== undefined && typeof value === 'object' && !Array.isArray(value);
}

/**
 * The fields for a tool's input schema, required ones first, each with what is mapped to it now; what is mapped and not
 * in the schema stays visible. Without a schema every row is free.
 */
export function mappingFieldsOf(schema: Json | null, mapped: Record<string, string>): MappingField[] {
  const spare = Array.from({ length: SPARE_ROWS }, () => free('', ''));
  const properties =
    isObject(schema ?? undefined) && isObject((schema as { [key: string]: Json }).properties)
      ? ((schema as { [key: string]: Json }).properties as { [key: string]: Json })
      : null;
  if (properties === null) return [...Object.entries(mapped).map(([name, value]) => free(name, value)), ...spare];
  const required = (schema as { [key: string]: Json }).required;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const known = Object.entries(properties).map(([name, property]) => {
    const about = isObject(property) ? property : {};
    return {
      name,
      title: revealedText(typeof about.title === 'string' ? about.title : name),
      description: typeof about.description === 'string' ? revealedText(about.description).slice(0, 300) : '',
      type: typeof about.type === 'string' ? about.type : 'any',
      required: isRequired(name),
      value: mapped[name] ?? '',
      free: false,
    };
  });
  const strangers = Object.entries(mapped).filter(([name]) => !Object.hasOwn(properties, name));
  return [...known.sort((a, b) => Number(b.required) - Number(a.required)), ...strangers.map(([name, value]) => free(name, value))];
}
