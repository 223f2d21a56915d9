import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { expressionKey } from '#app/domain/workflows/mappings/expression-text.ts';
import { literalAs } from '#app/domain/workflows/mappings/mapping.ts';
import { WORKFLOW_FORMAT, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { isJsonObject } from '#app/engine/connections/peer-json.ts';
import { structureOf } from '#app/engine/mcp/output-validator.ts';

/**
 * A workflow of one step whose input is the arguments of a tool: `takes` is their JSON Schema, in place of fields. Only gateways write it: a
 * document that people write has fields.
 */
export const gatewayDocumentSchema = workflowDocumentSchema.extend({ takes: z.record(z.string(), z.json()).optional() });
export type GatewayDocument = z.infer<typeof gatewayDocumentSchema>;

/** A tool as its peer defines it, in the connection that holds it. */
export type GatewayTarget = { connection: string; capability: string; title: string; inputSchema: Json | null };
/** How a gateway shows it: its name, and values of arguments that callers neither see nor send, as they were typed. */
export type GatewayShape = { name: string; fixed: Readonly<Record<string, string>> };

/** Names that an expression cannot say, or a mapping not hold. */
const isPlain = (name: string) => name.length <= 120 && !name.includes('`');

/** The arguments of a tool by name; those that no expression can name are left out. */
export function argumentsOf(inputSchema: Json | null): Map<string, { schema: Json; required: boolean }> {
  if (!isJsonObject(inputSchema ?? undefined)) return new Map();
  const { properties, required } = inputSchema as { [key: string]: Json };
  if (!isJsonObject(properties)) return new Map();
  const needed = new Set(Array.isArray(required) ? required : []);
  return new Map(
    Object.entries(properties)
      .filter(([name]) => isPlain(name))
      .map(([name, schema]) => [name, { schema, required: needed.has(name) }]),
  );
}

/**
 * The workflow of one step that each call of a gateway's tool is a run of. It takes what the tool takes, by structure alone (a stranger's
 * patterns run nowhere here), without the arguments that are fixed, and nothing that the tool does not name.
 */
export function gatewayDocument(
  { connection, capability, title, inputSchema }: GatewayTarget,
  { name, fixed }: GatewayShape,
): GatewayDocument {
  const known = argumentsOf(inputSchema);
  const open = [...known].filter(([argument]) => !Object.hasOwn(fixed, argument));
  const whole = isJsonObject(inputSchema ?? undefined) ? (structureOf(inputSchema) as { [key: string]: Json }) : {};
  const takes = {
    ...whole,
    type: 'object',
    properties: Object.fromEntries(open.map(([argument, { schema }]) => [argument, structureOf(schema) as Json])),
    required: open.filter(([, { required }]) => required).map(([argument]) => argument),
    additionalProperties: false,
  };
  const input = [...known].flatMap(([argument, { schema }]) => {
    if (!Object.hasOwn(fixed, argument)) return [[argument, `=input.${expressionKey(argument)}`]];
    return [[argument, `=${JSON.stringify(literalAs(fixed[argument] ?? '', schema))}`]];
  });
  return gatewayDocumentSchema.parse({
    format: WORKFLOW_FORMAT,
    takes,
    subject: name,
    // A caller hears at once that a call failed, and calls again if it likes.
    steps: [{ id: 'call', name: title.slice(0, 120), kind: 'tool', connection, capability, input: Object.fromEntries(input), retries: 0 }],
  });
}

/** A name in the characters that MCP allows, which none of `taken` has. */
export function toolName({ connection, capability }: Pick<GatewayTarget, 'connection' | 'capability'>, taken: ReadonlySet<string>): string {
  const plain = (text: string) =>
    text
      .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 50);
  const own = plain(capability) || 'tool';
  const names = [own, plain(`${connection}_${capability}`), ...Array.from({ length: 1_000 }, (_, index) => `${own}_${index + 2}`)];
  return names.find((name) => !taken.has(name)) ?? own;
}
