import type { jsonSchemaValidator } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Longer schemas are not compiled: a stranger's schema is code that runs here. */
const MAX_SCHEMA_CHARACTERS = 100_000;
/** Keywords that run a stranger's regular expression or fetch a stranger's address. */
const UNTRUSTED = new Set(['pattern', 'patternProperties', 'format', '$schema', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor']);

/**
 * Checks a tool's output against the schema it declared, by structure alone: no patterns (a hostile one could hold the
 * process) and no references outside the schema. What cannot be compiled is not checked.
 */
export const structuralValidator: jsonSchemaValidator = {
  getValidator<T>(schema: unknown) {
    const accept = (input: unknown) => ({ valid: true as const, data: input as T, errorMessage: undefined });
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return accept;
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, inlineRefs: false });
    let validate: ReturnType<typeof ajv.compile>;
    try {
      validate = ajv.compile(structureOf(schema) as object);
    } catch {
      return accept;
    }
    return (input: unknown) =>
      validate(input) ? accept(input) : { valid: false as const, data: undefined, errorMessage: ajv.errorsText(validate.errors) };
  },
};

/** A stranger's schema without the keywords that would run its expressions or fetch its addresses. */
export function structureOf(schema: unknown, insideProperties = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => structureOf(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => insideProperties || !UNTRUSTED.has(name))
      .map(([name, value]) => {
        if (!insideProperties && (name === 'const' || name === 'enum' || name === 'default' || name === 'examples')) return [name, value];
        return [name, structureOf(value, !insideProperties && (name === 'properties' || name === '$defs' || name === 'definitions'))];
      }),
  );
}
