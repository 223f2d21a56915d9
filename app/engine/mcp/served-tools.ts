import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { inputValidator, refusedInput } from '#app/engine/runs/steps/input-validator.ts';
import type { ServedCatalog } from '#app/engine/serving/served-catalog.ts';
import { inputSchemaOf, type ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

type Input = { [name: string]: Json };

/** The answer of every tool. */
export const OUTCOME = fromJsonSchema<Input>({
  type: 'object',
  properties: {
    runId: { type: 'string', description: 'Ask get_run with it' },
    number: { type: 'integer', description: 'Counts in the workspace; people write it as #12' },
    subject: { type: ['string', 'null'], description: 'What the run is about, as its workflow makes it of the input' },
    status: { type: 'string', enum: ['pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled'] },
    output: { description: 'What the workflow gave; null until it is completed' },
    error: { description: 'Why it failed: the key of a reason with its values' },
    waitsFor: { type: ['string', 'null'], enum: ['approval', 'form', null], description: 'What a waiting run needs of a person' },
    approvalUrl: { type: ['string', 'null'], description: 'Where a person decides, or fills in the form, that the run waits for' },
  },
  required: ['runId', 'status', 'output'],
});
export const RUN_ID = z.object({ runId: z.uuid() });

/** Kept as long as the workflow is. */
const schemas = new WeakMap<ServedWorkflow, StandardSchemaWithJSON<Input>>();

/** The schema of a tool's arguments. The SDK's own would compile each one when it is listed, and keep every one forever. */
export function toolSchema(workflow: ServedWorkflow): StandardSchemaWithJSON<Input> {
  const known = schemas.get(workflow);
  if (known !== undefined) return known;
  const json = inputSchemaOf(workflow);
  const schema: StandardSchemaWithJSON<Input> = {
    '~standard': {
      version: 1,
      vendor: 'quorate',
      jsonSchema: { input: () => json, output: () => json },
      validate(value) {
        const validate = inputValidator(workflow.document);
        return validate(value) ? { value: value as Input } : { issues: [{ message: refusedInput(validate) }] };
      },
    },
  };
  schemas.set(workflow, schema);
  return schema;
}

const namingSchema = z.object({ method: z.string(), params: z.object({ name: z.string() }).optional().catch(undefined) });

/**
 * The tools that the answer to this message can need: one for a call, none for a greeting, all for a list, and for what nobody here can
 * read (several messages at once). With hundreds of workflows, making them all costs more than the call.
 */
export function toolsFor(body: unknown, { tools }: ServedCatalog): Iterable<[string, ServedWorkflow]> {
  const { data } = namingSchema.safeParse(body);
  if (data === undefined || data.method === 'tools/list') return tools;
  const name = data.method === 'tools/call' ? data.params?.name : undefined;
  const called = name === undefined ? undefined : tools.get(name);
  return name === undefined || called === undefined ? [] : [[name, called]];
}
