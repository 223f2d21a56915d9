import type { Json } from '#app/contracts/json.ts';

export type JsonSchema = { [key: string]: Json };
export type ObjectSchema = JsonSchema & { type: 'object' };

/** One tool of the built-in MCP server. `run` gets what its input schema let through, and throws ToolInputError on the rest. */
export type BuiltinTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  run(input: { [key: string]: Json }): { [key: string]: Json } | Promise<{ [key: string]: Json }>;
};

/** An error that the caller can fix: its message becomes the tool's answer. */
export class ToolInputError extends Error {}

/** Every built-in tool computes from its input alone. */
export const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** A closed object schema (2020-12). Properties that are not named in `optional` are required. */
export function objectSchema(properties: { [key: string]: Json }, optional: readonly string[] = []): ObjectSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

export const RISK_SCHEMA: JsonSchema = { type: 'string', enum: ['low', 'medium', 'high'] };
