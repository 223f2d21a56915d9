import { createRequire } from 'node:module';
import { POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

/** Name of the parsed schema in Cedar's cache. */
export const SCHEMA_NAME = 'quorate';

const require = createRequire(import.meta.url);
let loaded: Cedar | undefined;

/**
 * Cedar with our schema parsed. Loaded when first asked for: each thread that has it holds 7 MB, and the web server starts
 * without deciding anything.
 */
export function cedar(): Cedar {
  if (loaded !== undefined) return loaded;
  const engine: Cedar = require('@cedar-policy/cedar-wasm/nodejs');
  const schema = engine.preparseSchema(SCHEMA_NAME, POLICY_SCHEMA);
  if (schema.type === 'failure') throw new Error('the policy schema does not parse', { cause: schema.errors });
  loaded = engine;
  return engine;
}
